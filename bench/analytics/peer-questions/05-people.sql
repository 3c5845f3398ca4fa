SELECT s.address, c.interfaces, s.balance / 1e9
FROM latest_account_states AS s
INNER JOIN codes AS c ON c.code_hash = s.code_hash
WHERE substr(s.address, 1, 4) = '\x00000000'
    AND EXISTS (SELECT 1 FROM unnest(c.interfaces) AS name WHERE name LIKE 'wallet\_%' OR name LIKE 'multisig%')
ORDER BY s.balance DESC
LIMIT 100;
