import { PROJECTIONS } from '../../pipelines/projections.ts';
import { LakeKeeper } from '../../src/api/lake/lake-keeper.ts';
import { readLakeViews } from '../../src/cli/compose/lake.ts';
import { getPartitions } from '../../src/engine/projection/projection.ts';
import type { LocalApi } from './local-api.ts';

type Fields = Record<string, unknown>;

/** The views for analysts over the index of a local chain. In statements, `ton.` is their database. */
export class ApiLake {
  readonly #api: LocalApi;
  readonly #name: string;
  readonly #keeper: LakeKeeper;

  constructor(api: LocalApi, name: string) {
    const { client, context, identity } = api;
    this.#api = api;
    this.#name = name;
    this.#keeper = new LakeKeeper({
      client,
      network: identity.network,
      lake: name,
      views: readLakeViews(),
      vector: () => context.vector(),
      access: { user: 'default', password: '' },
      confirming: (projection) => ({
        partitions: getPartitions(PROJECTIONS.find((one) => one.name === projection)!),
        isIsolated: false,
        epochSize: identity.epochSize,
      }),
    });
  }

  async ask<T extends Fields>(sql: string): Promise<T[]> {
    await this.#keeper.refresh();
    return this.#api.client.queryObjects<T>(this.#inLake(sql), { route: 'test' });
  }

  /** Rows of a statement as texts, in order, with the settings of analysts. */
  async texts(sql: string): Promise<readonly string[]> {
    await this.#keeper.refresh();
    const { rows } = await this.#api.client.queryRows<[string[]]>(
      `SELECT arraySort(groupArray(toString(tuple(*)))) FROM (${this.#inLake(sql)})`,
      { route: 'test', settings: { join_use_nulls: 1, prefer_column_name_to_alias: 1 } },
    );
    return rows[0]![0];
  }

  #inLake(sql: string): string {
    return sql.replaceAll('ton.', `${this.#name}.`);
  }
}

/** Sums of jettons, and plain statements that count the same. */
export const JETTON_SUMS: readonly (readonly [what: string, sums: string, plain: string])[] = [
  [
    'jettons by hour',
    'SELECT hour, type, jetton_master, events, aborted, amount FROM ton.jettons_hourly',
    'SELECT toStartOfHour(block_time), type, jetton_master, countIf(NOT tx_aborted), countIf(tx_aborted), sumIf(amount, NOT tx_aborted) FROM ton.jetton_events GROUP BY 1, 2, 3',
  ],
  [
    'jettons by day',
    'SELECT day, type, jetton_master, events, aborted, amount FROM ton.jettons_daily',
    'SELECT block_date, type, jetton_master, countIf(NOT tx_aborted), countIf(tx_aborted), sumIf(amount, NOT tx_aborted) FROM ton.jetton_events GROUP BY 1, 2, 3',
  ],
  [
    'holders',
    'SELECT jetton_master, argMax(holders, day) FROM ton.jetton_holders_daily GROUP BY 1 HAVING argMax(holders, day) > 0',
    "SELECT asset, countIf(amount > 0) FROM ton.latest_balances WHERE asset != 'TON' GROUP BY 1 HAVING countIf(amount > 0) > 0",
  ],
  [
    'last balances by day',
    'SELECT address, asset, argMax(amount, day) FROM ton.balances_daily GROUP BY 1, 2',
    'SELECT address, asset, argMax(amount, lt) FROM ton.balances_history GROUP BY 1, 2',
  ],
  [
    'last balances of jettons by day',
    "SELECT address, asset, argMax(amount, day) FROM ton.balances_daily WHERE asset != 'TON' GROUP BY 1, 2",
    "SELECT address, asset, amount FROM ton.latest_balances WHERE asset != 'TON' AND block_time IS NOT NULL",
  ],
];
