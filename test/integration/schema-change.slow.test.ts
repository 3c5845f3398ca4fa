import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BASE } from '../../pipelines/base.ts';
import { unreadableVersion } from '../../src/api/entities/unreadable-version.ts';
import { startServing } from '../../src/api/serve-stage.ts';
import type { ServedTables } from '../../src/api/served-tables.ts';
import { buildVector } from '../../src/cli/compose/serving.ts';
import { HeadFollower } from '../../src/engine/replay/head.ts';
import { runReplay, runRollback } from '../../src/engine/replay/run.ts';
import { setPointer } from '../../src/engine/versions/projection-pointer.ts';
import { ServedProjections } from '../../src/engine/versions/served-projections.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { appendSteps } from '../helpers/copy-log.ts';
import { ADDED_COLUMN, laterLayout, olderSchema, REMOVED_TABLE } from '../helpers/older-schema.ts';
import {
  indexVersion,
  openReplayStore,
  quietLog,
  quietRun,
  REPLAY_SETTINGS,
  type ReplayStore,
} from '../helpers/replay-store.ts';
import { DEFAULT_SERVE_SETTINGS } from '../helpers/serve-settings.ts';
import { describeWithData } from '../helpers/shared-data.ts';
import { versionPicture } from '../helpers/version-picture.ts';

/** Rows of steps that are there from the start; each answer is one of two, whichever version it comes from. */
const ASKED = [
  '/api/v3/transactions?limit=60&sort=asc&end_lt=2000000',
  '/api/v3/messages?limit=40&sort=asc&end_lt=2000000',
  '/api/v3/blocks?limit=20&sort=asc&end_lt=2000000',
  '/api/v3/transactionsByMasterchainBlock?seqno=12',
] as const;

const FRESH = 90;
const FRESH_OLDER = 91;
const LATER = 92;
const SLOW_MS = 600_000;

describeWithData('a release that adds a column and removes a table', (data) => {
  const older = olderSchema();
  let server: TestServer;
  let store: ReplayStore;
  let served: ServedProjections;
  let url: string;
  let close: () => Promise<void>;
  const logged: string[] = [];

  beforeAll(async () => {
    server = await startTestServer();
    store = await openReplayStore({
      client: server.client,
      source: `archive:${data}/blocks/packs`,
      epochSize: 20,
      code: older,
      steps: 70,
    });
    await indexVersion(store, 1, older);
    const keep = (facts: object, text: string) => logged.push(`${text} ${JSON.stringify(facts)}`);
    const log = { ...quietLog, warn: keep, error: keep };
    const { reader } = server;
    const unreadable = (...version: [string, string, ServedTables | null]) =>
      unreadableVersion(reader, ...version);
    served = await ServedProjections.start({ client: reader, identity: store.identity, unreadable }, [BASE], {
      ...store.session('api'),
      log,
    });
    ({ url, close } = await startServing(
      {
        client: reader,
        vector: () => buildVector(served),
        freshen: (reads) => served.freshen(reads),
        getTables: (database) => served.getTables(database),
        refused: () => served.refused,
        network: { label: 'mainnet', testnet: false, zerostate: null, isolated: false },
        settings: { ...DEFAULT_SERVE_SETTINGS, queryTimeoutMs: 30_000, responseCacheMb: 0 },
        log,
        health: async () => ({ deadLetters: 0 }),
      },
      { host: '127.0.0.1', port: 0 },
    ));
  });
  afterAll(async () => {
    await close?.();
    await store?.close();
    await server?.stop();
  });

  const servedDatabase = () => {
    const view = served.view('base');
    return view.state === 'off' ? null : view.database;
  };
  const ask = async (path: string) => {
    const answer = await fetch(`${url}${path}`);
    expect(answer.status, path).toBe(200);
    return answer.text();
  };
  const askAll = () => Promise.all(ASKED.map(ask));
  const withoutSteps = (text: string | undefined) =>
    (text ?? '').replaceAll(/"vm_steps":\d+/g, '"vm_steps":null');
  const picture = (version: number) =>
    versionPicture(server.client, getDatabase(store.identity, BASE, version));
  const parts = (owner: string) => ({ ...store.parts, owner, projection: BASE });

  it(
    'writes and answers the older version while it builds the next, and switches under load',
    async () => {
      const old = await askAll();
      expect(old[0]).toContain('"vm_steps":null');
      expect(old.map((text) => text.length > 500)).toEqual(ASKED.map(() => true));
      const seen = ASKED.map(() => new Set<string>());
      const stop = new AbortController();
      const hammer = async () => {
        while (!stop.signal.aborted) for (const [i, text] of (await askAll()).entries()) seen[i]?.add(text);
      };
      const hammering = Promise.all([hammer(), hammer()]);
      hammering.catch(() => {});
      // This release follows the head with the older version's tables.
      const head = await HeadFollower.start(parts('head'), 1, REPLAY_SETTINGS, store.session('head').signal);
      const growing = appendSteps(store.parts.bus, store.rest, 1, () => sleep(100));
      const order = { range: { from: null, to: null }, accept: async () => true };
      const outcome = await runReplay(quietRun(parts('replay'), store.session('replay')), order);
      await growing;
      await head.catchUp(store.session('head').signal);
      await head.close();
      await sleep(1_000);
      stop.abort();
      await hammering;
      expect(outcome.schema).toEqual({
        addedTables: [
          'balance_days',
          'balances_by_time',
          'external_messages',
          'message_hours',
          'transaction_hours',
        ],
        removedTables: [REMOVED_TABLE],
        addedColumns: [
          'land_messages.tx_now',
          `land_transactions.${ADDED_COLUMN}`,
          'messages.tx_now',
          `transactions.${ADDED_COLUMN}`,
        ],
        removedColumns: [],
      });
      const now = await askAll();
      expect(now[0]).not.toContain('"vm_steps":null');
      expect(now.map(withoutSteps)).toEqual(old);
      expect(seen.map((answers) => [...answers].sort())).toEqual(
        ASKED.map((_, i) => [...new Set([old[i] ?? '', now[i] ?? ''])].sort()),
      );
      expect(logged).toEqual([]);
    },
    SLOW_MS,
  );

  it(
    'leaves both versions as each release by itself would have made them',
    async () => {
      await indexVersion(store, FRESH, BASE);
      expect(await picture(2)).toEqual(await picture(FRESH));
      await indexVersion(store, FRESH_OLDER, older);
      const written = await picture(1);
      expect(written[REMOVED_TABLE]?.length).toBeGreaterThan(1000);
      expect(written).toEqual(await picture(FRESH_OLDER));
    },
    SLOW_MS,
  );

  it(
    'goes back to the older version, and does not build a part of the chain on it',
    async () => {
      await runRollback(parts('back'), REPLAY_SETTINGS, 1, store.session('back'));
      await expect.poll(() => servedDatabase()).toBe(getDatabase(store.identity, BASE, 1));
      expect((await askAll())[0]).toContain('"vm_steps":null');
      const order = { range: { from: 10, to: 20 }, accept: async () => true };
      await expect(runReplay(quietRun(parts('part'), store.session('part')), order)).rejects.toMatchObject({
        name: 'PartialSchemaChangeError',
      });
    },
    SLOW_MS,
  );

  it(
    'stays with the version that it can read while a version with an unknown layout is served',
    async () => {
      await indexVersion(store, LATER, laterLayout());
      const { network } = store.identity;
      await setPointer(server.client, { network, projection: 'base', version: LATER });
      await expect.poll(() => served.refused, { timeout: 240_000 }).toContain('of layout 4, not 3');
      expect(servedDatabase()).toBe(getDatabase(store.identity, BASE, 1));
      expect((await askAll())[0]).toContain('"vm_steps":null');
      const ready = await fetch(`${url}/readyz`);
      expect([ready.status, await ready.text()]).toEqual([503, served.refused]);
      await setPointer(server.client, { network, projection: 'base', version: 1 });
      await expect.poll(() => served.refused, { timeout: 240_000 }).toBeNull();
    },
    SLOW_MS,
  );
});
