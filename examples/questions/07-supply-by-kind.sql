-- How is the supply of TON spread over kinds of holders, and over codes?
-- panel: table
SELECT
    multiIf(
        arrayExists(name -> startsWith(name, 'wallet_'), interfaces), 'wallet',
        arrayExists(name -> startsWith(name, 'multisig'), interfaces), 'multisig',
        arrayExists(name -> startsWith(name, 'vesting'), interfaces), 'vesting',
        arrayExists(name -> startsWith(name, 'dex_'), interfaces), 'exchange',
        startsWith(address, '-1:'), 'masterchain',
        status = 'uninit', 'never used',
        'contract') AS kind,
    count() AS accounts,
    uniqExact(code_hash) AS codes,
    sum(toDecimal128(balance, 0)) / 1e9 AS ton,
    100 * sum(balance / 1e9) / sum(sum(balance / 1e9)) OVER () AS percent
FROM accounts
GROUP BY kind
ORDER BY ton DESC
