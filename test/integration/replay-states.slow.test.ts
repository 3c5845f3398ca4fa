import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BASE } from '../../pipelines/base.ts';
import { pruneVersions } from '../../src/engine/replay/prune.ts';
import { LostStateError } from '../../src/engine/replay/replay-inputs.ts';
import { runReplay } from '../../src/engine/replay/run.ts';
import { headEpoch, trimStoredEpochs } from '../../src/engine/retention/trim-log.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { readSteps } from '../helpers/copy-log.ts';
import {
  indexVersion,
  NEWER_CODE,
  OLDER_CODE,
  openReplayStore,
  quietRun,
  REPLAY_SETTINGS,
  type ReplayStore,
} from '../helpers/replay-store.ts';
import { versionPicture } from '../helpers/version-picture.ts';
import { withCorpus } from '../simulation/replay/replay-corpora.ts';

/** A local chain from its zerostates on. */
const CHAIN = { transactions: 120, perStep: 10, shards: 2, seed: 'states' } as const;

describe('an index that begins with states, after its log is trimmed', () => {
  let server: TestServer;
  let store: ReplayStore;
  let wanted: Awaited<ReturnType<typeof versionPicture>>;

  beforeAll(async () => {
    server = await startTestServer();
    const options = { client: server.client, epochSize: 3, code: OLDER_CODE };
    store = await withCorpus(CHAIN, '', (corpus) => openReplayStore({ ...options, ...corpus }));
    await indexVersion(store, 1, OLDER_CODE);
  });
  afterAll(async () => {
    await store?.close();
    await server?.stop();
  });

  const statesInLog = async () =>
    (await readSteps(store.parts.bus)).flatMap(({ records }) =>
      records.filter(({ headers }) => headers.kind === 'state'),
    ).length;

  const replay = (name: string, from: number | null) => {
    const parts = { ...store.parts, owner: name, projection: NEWER_CODE };
    const order = { range: { from, to: null }, accept: async () => true };
    return runReplay(quietRun(parts, store.session(name)), order);
  };

  it('has them in the store, and a replay makes the same rows of them', async () => {
    const { client } = server;
    expect(await statesInLog()).toBe(2);
    const head = (await headEpoch(store.parts)) ?? 0;
    const { signal } = store.session('trim');
    expect(await trimStoredEpochs(store.parts, head, signal)).toContain(0);
    expect(await statesInLog()).toBe(0);
    const { plan } = await replay('replay', null);
    const whole = { ...store, parts: { ...store.parts, bus: store.whole } };
    const database = await indexVersion(whole, 90, NEWER_CODE);
    wanted = await versionPicture(client, database);
    await client.command(`DROP DATABASE ${database} SYNC`, { route: 'test' });
    expect(await versionPicture(client, getDatabase(store.identity, BASE, plan.next))).toEqual(wanted);
    expect(await statesInStore(plan.next)).toBeGreaterThan(0);
  });

  it('cannot be replayed when nothing has them, but above them', async () => {
    const { client, identity } = store.parts;
    await client.command(`TRUNCATE TABLE ${identity.network}.raw_states SYNC`, { route: 'test' });
    await expect(replay('lost', null)).rejects.toThrow(LostStateError);
    const prune = { ...store.parts, owner: 'prune' };
    await pruneVersions(prune, REPLAY_SETTINGS.sessionMs, store.session('prune'));
    const { plan } = await replay('above', 3);
    expect(await versionPicture(client, getDatabase(identity, BASE, plan.next))).toEqual(wanted);
  });

  async function statesInStore(version: number): Promise<number> {
    const { rows } = await server.client.queryRows<[string]>(
      `SELECT count() FROM ${getDatabase(store.identity, BASE, version)}.account_states WHERE origin = 'state'`,
      { route: 'test' },
    );
    return Number(rows[0]?.[0]);
  }
});
