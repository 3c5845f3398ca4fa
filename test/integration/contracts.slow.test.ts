import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { BASE } from '../../pipelines/base.ts';
import { CONTRACTS } from '../../pipelines/contracts.ts';
import type { EngineParts } from '../../src/engine/engine-parts.ts';
import type { TableProjection } from '../../src/engine/projection/projection.ts';
import { runReplay } from '../../src/engine/replay/run.ts';
import { verifyChains } from '../../src/engine/verify/verify-chain.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { contractFigures } from '../../src/projections/contracts/contract-figures.ts';
import { emptyServer, startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { appendSteps } from '../helpers/copy-log.ts';
import { followHeads } from '../helpers/follow-heads.ts';
import { openReplayStore, quietRun, REPLAY_SETTINGS, type ReplayStore } from '../helpers/replay-store.ts';
import { SeededRandom } from '../helpers/seeded-random.ts';
import { describeWithData } from '../helpers/shared-data.ts';
import { storePicture } from '../simulation/common/store-picture.ts';

const SLOW_MS = 600_000;
/** It begins in mid-chain: its zerostate is not known, so any will do. */
const PRIVATE_A = `test_private_a=${'a'.repeat(64)}:${'b'.repeat(64)}`;

describeWithData('contracts together with base', (data) => {
  let server: TestServer;
  let store: ReplayStore;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(async () => {
    await store?.close();
    await server?.stop();
  });
  beforeEach(async () => {
    await store?.close();
    await emptyServer(server);
  });

  const open = async (chain: { source: string; network?: string }, steps?: number) => {
    const limited = steps ? { steps } : {};
    store = await openReplayStore({ ...chain, ...limited, client: server.client, epochSize: 20, code: BASE });
  };
  const contracts = (version = 1) => getDatabase(store.identity, CONTRACTS, version);
  const partsOf = (projection: TableProjection): EngineParts => ({
    ...store.parts,
    projection,
    owner: 'run',
  });
  const picture = (database: string) => storePicture(server.client, database);

  const follow = (batchRows: number) => followHeads(store, [BASE, CONTRACTS], batchRows);

  const broken = async () =>
    (await verifyChains(store.parts, [BASE, CONTRACTS])).filter(({ problems }) => problems > 0);

  it(
    'are verified: a missing cell is found',
    async () => {
      await open({ source: `archive:${data}/blocks/packs` });
      await follow(60);
      expect(await broken()).toEqual([]);
      const { rows } = await server.client.queryRows<[string]>(
        `SELECT toString(count()) FROM ${contracts()}.cell_places`,
        { route: 'test' },
      );
      expect(Number(rows[0]?.[0])).toBeGreaterThan(500);
      await server.client.command(`TRUNCATE TABLE ${contracts()}.cell_places`, { route: 'test' });
      expect((await broken()).map(({ name }) => name)).toContain('contracts-cells');
    },
    SLOW_MS,
  );

  it(
    'do not depend on batches and stops; a replay of only contracts leaves base untouched',
    async () => {
      await open({ source: `files:${data}/blocks/private-a`, network: PRIVATE_A }, 1);
      const chance = new SeededRandom(17);
      for (const rest = [...store.rest]; rest.length > 0; ) {
        await appendSteps(store.parts.bus, rest.splice(0, 1 + chance.below(25)), 20);
        await follow(chance.pick([1, 7, 60]));
      }
      const { client, identity } = store.parts;
      const figures = await contractFigures({ client, database: contracts(), network: identity.network });
      expect(figures['partial states']).toBeGreaterThan(0);
      const [base, own] = await Promise.all([picture(getDatabase(identity, BASE)), picture(contracts())]);
      const plan = { range: { from: null, to: null }, accept: async () => true };
      const run = quietRun(partsOf(CONTRACTS), store.session('replay'));
      const { changes } = await runReplay({ ...run, settings: REPLAY_SETTINGS }, plan);
      expect(changes).toEqual([]);
      const replayed = await picture(contracts(2));
      expect({ ...replayed, step_rows: '' }).toEqual({ ...own, step_rows: '' });
      expect(await picture(getDatabase(identity, BASE))).toEqual(base);
    },
    SLOW_MS,
  );
});
