SELECT
    CASE
        WHEN array_to_string(c.interfaces, ' ') ~ '\mwallet_' THEN 'wallet'
        WHEN array_to_string(c.interfaces, ' ') ~ '\mmultisig' THEN 'multisig'
        WHEN array_to_string(c.interfaces, ' ') ~ '\mvesting' THEN 'vesting'
        WHEN array_to_string(c.interfaces, ' ') ~ '\mdex_' THEN 'exchange'
        WHEN substr(s.address, 1, 4) = '\xffffffff' THEN 'masterchain'
        WHEN s.status = 'uninit' THEN 'never used'
        ELSE 'contract'
    END AS kind,
    count(*), count(DISTINCT s.code_hash), sum(s.balance) / 1e9, 100 * sum(s.balance) / sum(sum(s.balance)) OVER ()
FROM latest_account_states AS s
LEFT JOIN codes AS c ON c.code_hash = s.code_hash
GROUP BY kind
ORDER BY 4 DESC;
