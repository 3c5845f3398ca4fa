-- Balance of each account and asset at the end of each day, filled forward: a day without a change has the balance of the day before. The last day is that of the newest visible block.
-- reads: base contracts
-- adds: detections
-- needs: base.balance_days.day contracts.wallet_days.day
SELECT
    d.day AS day, -- The day, UTC
    d.address AS address, -- Owner of the balance
    d.asset AS asset, -- TON, or the address of the jetton master
    {decimal sum(d.amount)} AS amount, -- Balance at the end of the day, in the asset's smallest unit
    max(d.is_changed) AS is_changed, -- True if the balance was written on this day
    toDateTime(d.day, 'UTC') AS block_time, -- Start of the day, UTC
    d.day AS block_date -- The day, UTC
FROM
(
    SELECT
        g.address AS address, g.asset AS asset, f.1 AS day, f.2 AS amount, f.3 AS is_changed
    FROM
    (
        SELECT
            c.address AS address, c.asset AS asset, arraySort(groupArray((c.day, c.amount))) AS days,
            arrayPushBack(arrayPopFront(arrayMap(x -> x.1, days)), (SELECT toDate(toDateTime(max(b.gen_utime), 'UTC')) + 1 FROM {base}.blocks AS b WHERE {visible base b})) AS ends
        FROM
        (
            SELECT concat(toString(s.workchain), ':', hex(s.account)) AS address, 'TON' AS asset, s.account AS wallet, s.day AS day, toUInt256(s.balance) AS amount
            FROM {newest_by_day} AS s
            UNION ALL
            SELECT concat(toString(w.owner_workchain), ':', hex(w.owner)) AS address, concat(toString(w.parent_workchain), ':', hex(w.parent)) AS asset, w.account AS wallet, w.day AS day, w.amount AS amount
            FROM {newest_wallets_by_day} AS w
            WHERE {known_wallet w}
            {detected_days}
        ) AS c
        GROUP BY c.address, c.asset, c.wallet
    ) AS g
    ARRAY JOIN arrayFlatten(arrayMap((x, end) -> arrayMap(i -> (x.1 + i, x.2, i = 0), range(toUInt32(greatest(end - x.1, 1)))), g.days, g.ends)) AS f
) AS d
GROUP BY d.day, d.address, d.asset
