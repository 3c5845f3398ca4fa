/** A changed layout of `contracts`: only this projection is replayed, without `base`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BASE } from '../../pipelines/base.ts';
import { CONTRACTS } from '../../pipelines/contracts.ts';
import type { TableProjection } from '../../src/engine/projection/projection.ts';
import { type ReplayOrder, type ReplayRun, runReplay } from '../../src/engine/replay/run.ts';
import { PointerWatch } from '../../src/engine/versions/pointer-watch.ts';
import { listVersions, readPointer } from '../../src/engine/versions/projection-pointer.ts';
import { ServedVersion } from '../../src/engine/versions/served-version.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { TOKEN_PAYLOAD } from '../../src/tables/token-states.ts';
import { FINER } from '../fixtures/other-wallet-layout.ts';
import { startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { followHeads } from '../helpers/follow-heads.ts';
import { openReplayStore, quietRun, REPLAY_SETTINGS, type ReplayStore } from '../helpers/replay-store.ts';
import { versionPicture } from '../helpers/version-picture.ts';
import { withCorpus } from '../simulation/replay/replay-corpora.ts';

/** From its zerostates on: a few hundred transfers of jettons and items. */
const CHAIN = { transactions: 600, perStep: 30, shards: 2, seed: 'layout' } as const;

/** The release that reads wallets of jettons otherwise. */
const CHANGED: TableProjection = {
  ...CONTRACTS,
  version: CONTRACTS.version + 1,
  decoder: {
    ...CONTRACTS.decoder,
    module: new URL('../fixtures/other-wallet-layout.ts', import.meta.url).href,
  },
};

const OF_WALLETS = "'jetton_wallet' AS kind, toUInt256(0) AS had_amount";
/** Tables that have balances, as readers see them; `had_amount` is the balance before. */
const WITH_BALANCES: Readonly<Record<string, string>> = {
  token_states: 'SELECT * FROM {table}',
  tokens_latest: `SELECT ${['account', ...TOKEN_PAYLOAD.sized, ...TOKEN_PAYLOAD.strings].join(', ')}, toUInt256(0) AS had_amount FROM {table} FINAL`,
  tokens_ranked:
    'SELECT * EXCEPT net, sum(net) AS net, toUInt256(0) AS had_amount FROM {table} GROUP BY ALL HAVING net != 0',
  wallet_balances: `SELECT *, ${OF_WALLETS} FROM {table}`,
  wallet_days: `SELECT *, ${OF_WALLETS} FROM {table} FINAL`,
};

describe('contracts whose layout has changed', { timeout: 600_000 }, () => {
  let server: TestServer;
  let store: ReplayStore;
  let served: ServedVersion;
  beforeAll(async () => {
    server = await startTestServer();
    const { client } = server;
    const options = { client, epochSize: 5, code: BASE };
    store = await withCorpus(CHAIN, '', (corpus) => openReplayStore({ ...options, ...corpus }));
    await followHeads(store, [BASE, CONTRACTS]);
    const { identity } = store;
    const pointers = new PointerWatch(client, identity.network);
    served = new ServedVersion({ client, identity, projection: CONTRACTS, pointers }, store.session('api'));
    await served.start();
  }, 600_000);
  afterAll(async () => {
    await store?.close();
    await server?.stop();
  });

  const at = (projection: TableProjection, version = 1) => getDatabase(store.identity, projection, version);
  const pictureOf = (database: string) => versionPicture(server.client, database);
  const pointerOf = ({ name }: TableProjection) => readPointer(server.client, store.identity.network, name);
  const databaseOfView = () => (served.view.state === 'served' ? served.view.database : null);

  /** Rows of a table as text without their amounts, each with them. */
  async function amounts(database: string, table: string) {
    const source = WITH_BALANCES[table]!.replace('{table}', `${database}.${table}`);
    const { rows } = await server.client.queryRows<[string, string, string, string]>(
      `SELECT hex(toString(tuple(* EXCEPT (amount, had_amount)))) AS rest, toString(kind), toString(amount), toString(had_amount) FROM (${source})`,
      { route: 'test', maxRows: 1_000_000 },
    );
    return rows.map(([rest, kind, amount, had]) => ({
      rest,
      kind,
      amount: BigInt(amount),
      had: BigInt(had),
    }));
  }
  const inOrder = (rows: Awaited<ReturnType<typeof amounts>>) =>
    rows.map(({ rest, kind, amount, had }) => `${kind} ${rest} ${amount} ${had}`).sort();

  /** Replays only `contracts` with the changed code; checks the served version at each event. */
  async function replay(accept: ReplayOrder['accept']) {
    const seen = new Set<string | null>();
    const look = () => void seen.add(databaseOfView());
    const parts = { ...store.parts, projection: CHANGED, owner: 'replay' };
    const run: ReplayRun = {
      ...quietRun(parts, store.session('replay')),
      settings: { ...REPLAY_SETTINGS, batchRows: 500 },
      watch: { onPlan: look, onStep: look, onBatch: look },
    };
    const outcome = await runReplay(run, { range: { from: null, to: null }, accept });
    return { outcome, seen: [...seen] };
  }

  it('are replayed without base, which stays as it is; the old version is served until the switch', async () => {
    const [base, before] = await Promise.all([pictureOf(at(BASE)), pictureOf(at(CONTRACTS))]);
    const pointer = await pointerOf(BASE);
    expect(pointer).toEqual({ version: 1, next: null });
    const wallets = (await amounts(at(CONTRACTS), 'token_states')).filter(
      ({ kind }) => kind === 'jetton_wallet',
    );
    const count = (of: 'amount' | 'had') => wallets.filter((row) => row[of] > 0n).length;
    expect(count('had')).toBeGreaterThan(50);
    const altered = wallets.filter(({ amount, had }) => amount > 0n || had > 0n).length;

    const refused = await replay(async () => false);
    expect(refused.outcome.switched).toBeNull();
    expect(refused.seen).toEqual([at(CONTRACTS)]);
    const accepted = await replay(async () => {
      // Whole, checked, compared, and not served yet.
      expect(await pointerOf(CONTRACTS)).toEqual({ version: 1, next: null });
      expect(databaseOfView()).toBe(at(CONTRACTS));
      expect(await pictureOf(at(CONTRACTS))).toEqual(before);
      return true;
    });
    expect(accepted.seen).toEqual([at(CONTRACTS)]);
    expect(accepted.outcome.switched).not.toBeNull();
    expect(await pointerOf(CONTRACTS)).toEqual({ version: 2, next: null });
    await expect.poll(databaseOfView, { timeout: 240_000 }).toBe(at(CONTRACTS, 2));

    expect(accepted.outcome.changes).toMatchObject([
      {
        table: 'token_states',
        added: 0,
        removed: 0,
        altered,
        columns: [
          { column: 'amount', rows: count('amount') },
          { column: 'had_amount', rows: count('had') },
        ],
      },
    ]);
    expect(await pictureOf(at(BASE))).toEqual(base);
    expect(await pointerOf(BASE)).toEqual(pointer);
    expect(await listVersions(server.client, store.identity.network, BASE.name)).toEqual([1]);
    // The version that was served is there to go back to.
    expect(await pictureOf(at(CONTRACTS))).toEqual(before);
  });

  it('have the rows of the new layout, and every other row as it was', async () => {
    for (const table of Object.keys(WITH_BALANCES)) {
      const old = await amounts(at(CONTRACTS), table);
      expect(old.filter(({ kind }) => kind === 'jetton_wallet').length, table).toBeGreaterThan(10);
      const others = old.filter(({ kind }) => kind !== 'jetton_wallet');
      if (!table.startsWith('wallet_')) expect(others.length, table).toBeGreaterThan(1);
      const finer = old.map((row) =>
        row.kind === 'jetton_wallet' ? { ...row, amount: row.amount * FINER, had: row.had * FINER } : row,
      );
      expect(inOrder(await amounts(at(CONTRACTS, 2), table)), table).toEqual(inOrder(finer));
    }
    const others = async (version: number) => {
      const picture = { ...(await pictureOf(at(CONTRACTS, version))) };
      // How rows are counted depends on the batches that they came in.
      for (const table of [...Object.keys(WITH_BALANCES), 'step_rows']) delete picture[table];
      return picture;
    };
    const old = await others(1);
    expect(Object.values(old).flat().length).toBeGreaterThan(100);
    expect(await others(2)).toEqual(old);
  });
});
