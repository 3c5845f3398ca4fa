/** A list of leaders that SQL answers. */
export interface Ranking {
  /** In the address of the view. */
  readonly name: string;
  readonly title: string;
  readonly sql: string;
}

/** The sums of days keep these statements short on a large index. */
export const RANKINGS: readonly Ranking[] = [
  {
    name: 'jettons',
    title: 'Jettons with the most holders',
    sql: `SELECT ranked.jetton AS jetton, m.symbol AS symbol, m.name AS name, ranked.wallets AS holders
FROM
(
    SELECT jetton_master AS jetton, argMax(holders, day) AS wallets
    FROM jetton_holders_daily
    GROUP BY jetton_master
    ORDER BY wallets DESC, jetton
    LIMIT 100
) AS ranked
LEFT JOIN jetton_metadata_latest AS m ON m.address = ranked.jetton
ORDER BY holders DESC, jetton`,
  },
  {
    name: 'collections',
    title: 'NFT collections with the most items',
    sql: `SELECT ranked.collection AS collection, m.name AS name, ranked.items AS items, ranked.owners AS owners
FROM
(
    SELECT collection_address AS collection, count() AS items, uniq(owner_address) AS owners
    FROM nft_items_latest_state
    WHERE collection_address IS NOT NULL
    GROUP BY collection
    ORDER BY items DESC, collection
    LIMIT 100
) AS ranked
LEFT JOIN (SELECT address, name FROM nft_metadata_latest WHERE type = 'collection') AS m
    ON m.address = ranked.collection
ORDER BY items DESC, collection`,
  },
  {
    name: 'pools',
    title: 'DEX pools with the most volume',
    sql: `SELECT
    pool_address AS pool,
    any(project) AS project,
    sum(volume_ton) AS ton,
    sum(volume_usd) AS dollars,
    sum(trades) AS all_trades
FROM dex_volume_daily
WHERE block_date >= {from:Date} AND block_date <= {to:Date}
GROUP BY pool
ORDER BY ton DESC NULLS LAST, all_trades DESC
LIMIT 100`,
  },
];
