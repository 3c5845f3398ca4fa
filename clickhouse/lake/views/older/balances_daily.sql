-- Balance of each account at the end of each day, filled forward: a day without a change has the balance of the day before. The last day is that of the newest visible block.
-- reads: base
-- needs: base.balance_days.day
SELECT
    d.day AS day, -- The day, UTC
    concat(toString(d.workchain), ':', hex(d.account)) AS address, -- The account
    'TON' AS asset, -- TON
    {decimal d.balance} AS amount, -- Balance at the end of the day, nanotons
    d.is_changed AS is_changed, -- True if the balance was written on this day
    toDateTime(d.day, 'UTC') AS block_time, -- Start of the day, UTC
    d.day AS block_date -- The day, UTC
FROM
(
    SELECT
        g.account AS account, g.workchain AS workchain, f.1 AS day, f.2 AS balance, f.3 AS is_changed
    FROM
    (
        SELECT
            c.account AS account, c.workchain AS workchain, arraySort(groupArray((c.day, c.balance))) AS days,
            arrayPushBack(arrayPopFront(arrayMap(x -> x.1, days)), (SELECT toDate(toDateTime(max(b.gen_utime), 'UTC')) + 1 FROM {base}.blocks AS b WHERE {visible base b})) AS ends
        FROM {newest_by_day} AS c
        GROUP BY c.account, c.workchain
    ) AS g
    ARRAY JOIN arrayFlatten(arrayMap((x, end) -> arrayMap(i -> (x.1 + i, x.2, i = 0), range(toUInt32(greatest(end - x.1, 1)))), g.days, g.ends)) AS f
) AS d
