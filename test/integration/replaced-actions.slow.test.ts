import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACTIONS } from '../../pipelines/projections.ts';
import { replaceRows } from '../../src/engine/corrections/replace-rows.ts';
import type { RowReplacement } from '../../src/engine/projection/correction.ts';
import { getFencesTable } from '../../src/engine/sink/fence.ts';
import { whileHeld } from '../../src/engine/sink/lease-watch.ts';
import { prepareStore } from '../../src/engine/versions/prepare-store.ts';
import type { StoreClient } from '../../src/platform/clickhouse/client.ts';
import { storedTable } from '../../src/platform/clickhouse/cluster-scope.ts';
import { versionDatabase } from '../../src/platform/clickhouse/migrations/database-names.ts';
import type { Action } from '../../src/projections/actions/model/action.ts';
import type { ClassifiedStep } from '../../src/projections/actions/stored/classify-steps.ts';
import { readStored, replaceActions } from '../../src/projections/actions/stored/replaced-actions.ts';
import { startTestShards } from '../helpers/clickhouse-shards.ts';
import { openTestStore, type TestStore } from '../helpers/test-store.ts';

/* Rows of a trace whose actions are replaced, between any two statements and after any cut-off. */

const NETWORK = 'replaced_test';
const POSITION = 7;
const TABLES = ['actions', 'action_ids', 'action_accounts', 'action_steps', 'action_problems', 'step_rows'];
const WRITE = /^sink\/correct\/|^sink\/recount/;
const bytes = (byte: number) => Buffer.alloc(32, byte);
const raw = (byte: number) => `0:${bytes(byte).toString('hex').toUpperCase()}`;
const never = new AbortController().signal;

function action(id: number, type: string, rest: Partial<Action>): Action {
  return {
    ...{
      type,
      answeredType: type,
      actionId: bytes(id).toString('base64'),
      parentActionId: null,
      ancestorTypes: [],
    },
    ...{ traceId: bytes(1).toString('base64'), success: true, startLt: 1n, endLt: BigInt(id), startUtime: 1 },
    ...{ endUtime: 2, mcSeqnoEnd: POSITION, accounts: [raw(id), raw(0x50)], txHashes: [], columns: {} },
    details: { id },
    ...rest,
  };
}

function step(actions: readonly Action[]): ClassifiedStep {
  const trace = {
    ...{ trace_id: bytes(1), external_hash: null, start_lt: 1n, end_lt: 9n, end_utime: 2n, transactions: [] },
  };
  return {
    position: POSITION,
    outcomes: [{ trace, actions, isFailed: false, problems: [], undetected: [] }],
  };
}

const BEFORE = step([
  action(0x11, 'call_contract', {}),
  action(0x12, 'call_contract', { accounts: [raw(0x60)] }),
  action(0x13, 'ton_transfer', {}),
  action(0x14, 'contract_deploy', {}),
]);
/** Calls become a transfer; one action changes under its id, and one stays. */
const AFTER = step([
  action(0x21, 'jetton_transfer', { accounts: [raw(0x60), raw(0x61)] }),
  action(0x13, 'ton_transfer', { ancestorTypes: ['jetton_transfer'] }),
  action(0x14, 'contract_deploy', {}),
]);

describe.each([
  ['one server', () => openTestStore(NETWORK)],
  ['two shards', () => startTestShards()],
] as const)('actions that are replaced on %s', { timeout: 1_800_000 }, (_, open) => {
  let store: Pick<TestStore, 'client' | 'stop'>;
  const database = versionDatabase(NETWORK, 'actions', 1);

  beforeAll(async () => {
    store = await open();
    const identity = { network: NETWORK, id: 'none', epochSize: 40, lanes: 1, facts: {} };
    await prepareStore(store.client, identity, [ACTIONS]);
  }, 300_000);
  afterAll(() => store?.stop());

  async function replace(rows: RowReplacement, client: StoreClient = store.client): Promise<void> {
    const context = {
      ...{
        client,
        database,
        fences: getFencesTable(NETWORK),
        group: 'correct/test',
        repairs: [],
        concurrency: 1,
      },
      definition: ACTIONS.sink,
      log: () => expect.unreachable(),
    };
    const place = { position: POSITION, epoch: 0, from: Date.now(), partition: 0 };
    await whileHeld({ range: 'test', left: () => 60_000 }, never, (watch) =>
      replaceRows(context, place, rows, watch),
    );
  }

  async function become(to: ClassifiedStep, isCutOff: boolean, client?: StoreClient): Promise<void> {
    const stored = await readStored({ client: store.client, database }, POSITION, to.outcomes);
    await replace(replaceActions(to, to.outcomes, { stored, isCutOff }), client);
  }

  async function readRows(): Promise<Record<string, string>> {
    const rows: Record<string, string> = {};
    for (const table of TABLES)
      rows[table] = await store.client.queryText(
        `SELECT * FROM ${database}.${table} ORDER BY ALL FORMAT JSONEachRow`,
        { route: 'test' },
      );
    return rows;
  }

  /** Only the rows of a step. */
  async function writeAgain(from: ClassifiedStep): Promise<Record<string, string>> {
    for (const table of TABLES)
      await store.client.command(`TRUNCATE TABLE ${storedTable(store.client, database, table)}`, {
        route: 'test',
      });
    await replace(replaceActions(from, from.outcomes, { stored: [], isCutOff: false }));
    return readRows();
  }

  /** A client that calls `after` when a write of a correction is done. */
  function watching(after: () => Promise<void>): StoreClient {
    const { client } = store;
    const watch = async (route: string, write: () => Promise<void>) => {
      await write();
      if (WRITE.test(route)) await after();
    };
    return {
      ...client,
      command: (sql, options) => watch(options.route, () => client.command(sql, options)),
      insertNative: (table, block, options) =>
        watch(options.route, () => client.insertNative(table, block, options)),
    };
  }

  it('are the new ones in the end, and at no moment none', async () => {
    const expected = await writeAgain(AFTER);
    await writeAgain(BEFORE);
    const counts: (readonly [number, number])[] = [];
    const count = async () => {
      const { rows } = await store.client.queryRows<[number, number]>(
        `SELECT toUInt32((SELECT count() FROM ${database}.actions WHERE type IN ('call_contract', 'jetton_transfer'))),
           toUInt32((SELECT count() FROM ${database}.action_accounts WHERE account = unhex('${bytes(0x60).toString('hex')}')))`,
        { route: 'test' },
      );
      counts.push(rows[0]!);
    };
    await become(AFTER, false, watching(count));
    expect(counts.length).toBeGreaterThan(5);
    for (const [actions, ofAccount] of counts) {
      expect(actions).toBeGreaterThan(0);
      expect(ofAccount).toBeGreaterThan(0);
    }
    expect(await readRows()).toEqual(expected);
  });

  it('are the new ones after a cut-off after any write', async () => {
    const expected = await writeAgain(AFTER);
    let writes = 0;
    for (let cut = 1, isDone = false; !isDone; cut++) {
      await writeAgain(BEFORE);
      writes = 0;
      const cutting = watching(async () => {
        if (++writes === cut) throw new Error('cut off');
      });
      isDone = await become(AFTER, false, cutting).then(
        () => true,
        () => false,
      );
      if (!isDone) await become(AFTER, true);
      expect(await readRows(), `cut off after write ${cut}`).toEqual(expected);
    }
    expect(writes).toBeGreaterThan(5);
  });
});
