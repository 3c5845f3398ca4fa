import { expect } from 'vitest';
import { CONTRACTS } from '../../pipelines/contracts.ts';
import { ACTIONS, DETECTIONS, LAKE } from '../../pipelines/projections.ts';
import type { TableProjection } from '../../src/engine/projection/projection.ts';
import { runReplay } from '../../src/engine/replay/run.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { Shutdown } from '../../src/platform/observability/shutdown.ts';
import { actionFigures } from '../../src/projections/actions/stored/action-figures.ts';
import { storePicture } from '../simulation/common/store-picture.ts';
import type { LocalApi } from './local-api.ts';
import { quietRun } from './replay-store.ts';

/** Tables whose rows a replay makes again, by projection: no journals of corrections. */
const TABLES = new Map([
  [ACTIONS, ['actions', 'action_ids', 'action_accounts', 'action_steps', 'action_problems']],
  [LAKE, ['nft_events', 'trades', 'step_rows']],
]);
/** Count the rows of batches, which differ between an index and its replay. */
const OF_BATCHES = ['confirmed', 'step_rows'];
const route = 'test';

/** Rows that corrections replace, and what is recorded of corrections. */
export class CorrectedTables {
  readonly #api: LocalApi;

  constructor(api: LocalApi) {
    this.#api = api;
  }

  database(projection: TableProjection, version = 1): string {
    return getDatabase(this.#api.identity, projection, version);
  }

  figures(): ReturnType<typeof actionFigures> {
    return actionFigures({ client: this.#api.client, database: this.database(ACTIONS) });
  }

  /** The last confirmed step. */
  async readLast(projection: TableProjection): Promise<number> {
    const { rows } = await this.#api.client.queryRows<[number]>(
      `SELECT max(last) FROM ${this.database(projection)}.confirmed`,
      { route },
    );
    return rows[0]![0];
  }

  /** Steps whose actions were corrected, and that were not confirmed after a time of the store (`now`). */
  async readUnconfirmed(since: string): Promise<readonly number[]> {
    const database = this.database(ACTIONS);
    const { rows } = await this.#api.client.queryRows<[number]>(
      `SELECT DISTINCT mc_seqno FROM ${database}.corrections WHERE state = 2 AND mc_seqno NOT IN (
         SELECT arrayJoin(range(first, last + 1)) FROM ${database}.confirmed WHERE at > {since:DateTime64(3)})`,
      { route, params: { since } },
    );
    return rows.map(([step]) => step);
  }

  /** Time of the store. */
  async now(): Promise<string> {
    const { rows } = await this.#api.client.queryRows<[string]>('SELECT toString(now64(3))', { route });
    return rows[0]![0];
  }

  /** Corrections that are done: of actions, and of rows of the lake after them. */
  async readDone(): Promise<{ readonly actions: number; readonly lake: number }> {
    const done = (projection: TableProjection, states: string) =>
      `(SELECT uniqExact(mc_seqno, trace_id, account, workchain) FROM ${this.database(projection)}.corrections WHERE state IN (${states}))`;
    const { rows } = await this.#api.client.queryRows<[number, number]>(
      `SELECT toUInt32(${done(ACTIONS, '2')}), toUInt32(${done(LAKE, '1, 2')})`,
      { route },
    );
    const [[actions, lake] = [-1, -1]] = rows;
    return { actions, lake };
  }

  /** Replays the projections that are corrected, and expects the rows of their first versions again. */
  async expectReplayed(): Promise<void> {
    for (const projection of TABLES.keys()) await this.#replay(projection, false);
  }

  /** Replays every projection that depends on detected tokens, and serves the new versions, whose rows must be equal. */
  async serveReplayed(): Promise<void> {
    for (const projection of [CONTRACTS, DETECTIONS, ACTIONS, LAKE]) await this.#replay(projection, true);
  }

  async #replay(projection: TableProjection, isServed: boolean): Promise<void> {
    const before = await this.#read(projection, 1);
    const shutdown = new Shutdown();
    const parts = this.#api.engine(projection);
    const run = quietRun(parts, { owner: parts.owner, log: parts.log, signal: shutdown.signal });
    const order = { range: { from: null, to: null }, accept: async () => isServed };
    const { changes, switched } = await runReplay(run, order);
    expect(changes, projection.name).toEqual([]);
    expect(switched !== null, projection.name).toBe(isServed);
    expect(await this.#read(projection, 2), projection.name).toEqual(before);
  }

  /** Rows of the tables of a version, or sums of them if all tables are compared. */
  async #read(projection: TableProjection, version: number): Promise<Readonly<Record<string, string>>> {
    const tables = TABLES.get(projection);
    const database = this.database(projection, version);
    if (!tables) {
      const picture = Object.entries(await storePicture(this.#api.client, database));
      return Object.fromEntries(picture.filter(([table]) => !OF_BATCHES.includes(table)));
    }
    const rows: Record<string, string> = {};
    for (const table of tables)
      rows[table] = await this.#api.client.queryText(
        `SELECT * FROM ${database}.${table} ORDER BY ALL FORMAT JSONEachRow`,
        { route },
      );
    return rows;
  }
}
