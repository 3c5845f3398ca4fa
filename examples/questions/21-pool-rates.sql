-- Which pools are liquid, and where do two pools of one pair differ in rate?
-- panel: table
WITH pools AS
(
    SELECT pool, argMax(project, last_updated) AS project, argMax(jetton_left, last_updated) AS jetton_left, argMax(jetton_right, last_updated) AS jetton_right,
        argMax(toFloat64(reserves_right) / nullIf(toFloat64(reserves_left), 0), last_updated) AS rate, argMax(tvl_ton, last_updated) AS tvl_ton, argMax(is_liquid, last_updated) AS is_liquid
    FROM dex_pools
    GROUP BY pool
)
SELECT
    p.project AS project,
    p.pool AS pool,
    p.jetton_left AS jetton_left,
    p.jetton_right AS jetton_right,
    p.tvl_ton AS tvl_ton,
    p.is_liquid AS is_liquid,
    p.rate AS rate,
    100 * (p.rate / avg(p.rate) OVER (PARTITION BY p.jetton_left, p.jetton_right) - 1) AS percent_off_the_pair
FROM pools AS p
ORDER BY tvl_ton DESC NULLS LAST
LIMIT 100
