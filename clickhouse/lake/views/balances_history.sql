-- Balances of TON and jettons, one row a change: a balance at a moment is the last row before it. The partition date is timestamp.
-- reads: base contracts
-- adds: detections
-- needs: base.balances_by_time.now contracts.wallet_balances.now
SELECT
    h.address AS address, -- Owner of the balance
    h.asset AS asset, -- TON, or the address of the jetton master
    h.amount AS amount, -- Balance after the change, in the asset's smallest unit
    h.mintless_claimed AS mintless_claimed, -- Always null: it is not read from the wallets
    toNullable(toInt32(h.now)) AS timestamp, -- Time of the change, Unix seconds
    toNullable(toInt64(h.lt)) AS lt, -- Logical time of the change
    toDateTime(h.now, 'UTC') AS block_time, -- Time of the change, UTC
    toDate(toDateTime(h.now, 'UTC')) AS block_date -- Date of the change, UTC
FROM
(
    SELECT
        concat(toString(s.workchain), ':', hex(s.account)) AS address, 'TON' AS asset, toNullable({decimal s.balance}) AS amount,
        CAST(NULL, 'Nullable(Bool)') AS mintless_claimed, s.now AS now, s.lt AS lt
    FROM {base}.balances_by_time AS s
    WHERE {visible base s}
    UNION ALL
    SELECT
        concat(toString(w.owner_workchain), ':', hex(w.owner)) AS address,
        concat(toString(w.parent_workchain), ':', hex(w.parent)) AS asset, toNullable({decimal w.amount}) AS amount,
        CAST(NULL, 'Nullable(Bool)') AS mintless_claimed, w.now AS now, w.lt AS lt
    FROM {contracts}.wallet_balances AS w
    WHERE w.now > 0 AND {visible contracts w} AND {known_wallet w}
    {detected_balances}
) AS h
