-- Which addresses are people: wallets or multisigs by interface, not on the masterchain?
-- panel: table
SELECT
    address,
    interfaces,
    balance / 1e9 AS balance_ton,
    last_tx_at
FROM accounts
WHERE address NOT LIKE '-1:%' AND arrayExists(name -> startsWith(name, 'wallet_') OR startsWith(name, 'multisig'), interfaces)
ORDER BY balance DESC
LIMIT 100
