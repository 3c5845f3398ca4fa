-- The newest balance of each owner and asset.
-- rows: newest
-- reads: base contracts
-- adds: detections
-- needs: base.accounts_latest.now contracts.tokens_latest.now
SELECT
    l.address AS address, -- Owner of the balance
    l.asset AS asset, -- TON, or the address of the jetton master
    l.amount AS amount, -- Balance, in the asset's smallest unit
    CAST(NULL, 'Nullable(Bool)') AS mintless_claimed, -- Always null: it is not read from the wallets
    l.block_time AS block_time, -- Time of the last change, UTC; null if it came before the index
    toNullable(toInt64(l.last_lt)) AS lt, -- Logical time of the last change
    l.block_time AS last_change_timestamp, -- The same as block_time
    toNullable(toInt64(l.last_lt)) AS last_change_lt, -- The same as lt
    toDate(l.block_time) AS block_date -- Date of the last change, UTC
FROM
(
    SELECT
        concat(toString(s.workchain), ':', hex(s.account)) AS address, 'TON' AS asset, toNullable({decimal s.balance}) AS amount,
        multiIf(s.now > 0, toDateTime(s.now, 'UTC'), s.lt > 0 AND s.last_paid > 0, toDateTime(s.last_paid, 'UTC'), NULL) AS block_time, s.lt AS last_lt
    FROM {newest_timed_accounts} AS s
    UNION ALL
    SELECT
        concat(toString(w.owner_workchain), ':', hex(w.owner)) AS address,
        concat(toString(w.parent_workchain), ':', hex(w.parent)) AS asset, toNullable({decimal w.amount}) AS amount,
        if(w.now > 0, toDateTime(w.now, 'UTC'), NULL) AS block_time, w.lt AS last_lt
    FROM {newest_timed_tokens} AS w
    WHERE w.kind = 'jetton_wallet' AND NOT w.is_gone AND w.has_owner AND w.has_parent AND {known_wallet w}
    {detected_latest}
) AS l
