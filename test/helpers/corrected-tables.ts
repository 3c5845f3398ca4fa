import { expect } from 'vitest';
import { ACTIONS, LAKE } from '../../pipelines/projections.ts';
import type { TableProjection } from '../../src/engine/projection/projection.ts';
import { runReplay } from '../../src/engine/replay/run.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { Shutdown } from '../../src/platform/observability/shutdown.ts';
import { actionFigures } from '../../src/projections/actions/stored/action-figures.ts';
import type { LocalApi } from './local-api.ts';
import { quietRun } from './replay-store.ts';

/** Tables whose rows a replay makes again, by projection. */
const TABLES = new Map([
  [ACTIONS, ['actions', 'action_ids', 'action_accounts', 'action_steps', 'action_problems']],
  [LAKE, ['nft_events', 'trades', 'mints', 'step_rows']],
]);
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

  /** Replays both projections and expects the rows of their first versions again. */
  async expectReplayed(): Promise<void> {
    for (const projection of TABLES.keys()) {
      const before = await this.#readTables(projection, 1);
      const shutdown = new Shutdown();
      const parts = this.#api.engine(projection);
      const run = quietRun(parts, { owner: parts.owner, log: parts.log, signal: shutdown.signal });
      const { changes } = await runReplay(run, {
        range: { from: null, to: null },
        accept: async () => false,
      });
      expect(changes).toEqual([]);
      expect(await this.#readTables(projection, 2)).toEqual(before);
    }
  }

  async #readTables(projection: TableProjection, version: number): Promise<Record<string, string>> {
    const rows: Record<string, string> = {};
    for (const table of TABLES.get(projection)!)
      rows[table] = await this.#api.client.queryText(
        `SELECT * FROM ${this.database(projection, version)}.${table} ORDER BY ALL FORMAT JSONEachRow`,
        { route },
      );
    return rows;
  }
}
