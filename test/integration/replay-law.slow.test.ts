import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BASE } from '../../pipelines/base.ts';
import { HeadFollower } from '../../src/engine/replay/head.ts';
import { pruneVersions } from '../../src/engine/replay/prune.ts';
import { runDiff, runReplay, runRollback } from '../../src/engine/replay/run.ts';
import { earlierVersion, presentVersions } from '../../src/engine/replay/switch.ts';
import { servedVersion } from '../../src/engine/versions/prepare-store.ts';
import { ANNOUNCE_MS, setPointer } from '../../src/engine/versions/projection-pointer.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { SeededRandom } from '../contract/log/seeded-random.ts';
import { appendSteps } from '../helpers/copy-log.ts';
import { cutOffReplay } from '../helpers/cut-off-replay.ts';
import { placedPicture, REPLAY_SERVERS, type ReplayServers } from '../helpers/replay-servers.ts';
import {
  indexVersion,
  NEWER_CODE,
  OLDER_CODE,
  olderIn,
  openReplayStore,
  quietRun,
  REPLAY_SETTINGS,
  type ReplayStore,
} from '../helpers/replay-store.ts';
import { describeWithChain } from '../helpers/shared-data.ts';

const SEED = 20_261_121;
const ALL = { from: null, to: null } as const;
/** Indexed afresh, to compare with. */
const FRESH = 90;

/** A few seconds on a quiet machine. */
const SLOW_MS = 600_000;

describeWithChain('a version that was built next to the served one', (chain) => {
  describe.each(REPLAY_SERVERS)('on %s', (_name, start) => {
    const random = new SeededRandom(SEED);
    let servers: ReplayServers;
    let store: ReplayStore;

    beforeAll(async () => {
      servers = await start();
      store = await openReplayStore({
        client: servers.client,
        source: chain.source,
        epochSize: 20,
        code: OLDER_CODE,
        steps: random.between(60, 84),
      });
      await indexVersion(store, 1, OLDER_CODE);
    });
    afterAll(async () => {
      await store?.close();
      await servers?.stop();
    });

    const pictureOf = (version: number) => placedPicture(servers, getDatabase(store.identity, BASE, version));
    /** A fresh index of the newer code. It is pruned later. */
    let newer: Awaited<ReturnType<typeof pictureOf>>;

    async function expectSame(version: number, fresh: typeof newer) {
      const replayed = await pictureOf(version);
      for (const [table, rows] of Object.entries(fresh)) expect(replayed[table], table).toEqual(rows);
      expect(Object.keys(replayed)).toEqual(Object.keys(fresh));
      expect(fresh.transactions?.length).toBe(chain.transactions);
      expect(fresh.messages_by_opcode?.length).toBeGreaterThan(0);
    }

    it(
      'equals a fresh index row for row, cut off again and again while the head grows',
      async () => {
        const parts = { ...store.parts, projection: NEWER_CODE };
        const follower = await HeadFollower.start(
          store.parts,
          1,
          REPLAY_SETTINGS,
          store.session('head').signal,
        );
        const growing = appendSteps(store.parts.bus, store.rest, 1, () => sleep(100));
        const { outcome, cutOff } = await cutOffReplay(store, parts, ALL, random, 2);
        await growing;
        await follower.close();
        expect(cutOff).toBe(2);
        expect(outcome.changes).toMatchObject([{ table: 'messages', added: 0, removed: 0 }]);
        expect(outcome.changes[0]?.columns.map(({ column }) => column)).toEqual(['opcode']);
        expect(await servedVersion(servers.client, store.identity, BASE)).toBe(2);
        const rest = await HeadFollower.start(
          { ...parts, owner: 'rest' },
          2,
          REPLAY_SETTINGS,
          store.session('rest').signal,
        );
        await rest.catchUp(store.session('rest').signal);
        await rest.close();
        await indexVersion(store, FRESH, NEWER_CODE);
        newer = await pictureOf(FRESH);
        await expectSame(2, newer);
      },
      SLOW_MS,
    );

    it(
      'of a part of the chain equals a fresh index that decodes that part otherwise',
      async () => {
        const first = random.between(5, 54);
        const part = { first, last: first + random.between(5, 39) };
        const range = { from: part.first, to: part.last };
        const projection = { ...OLDER_CODE, version: 7 };
        const { outcome } = await cutOffReplay(store, { ...store.parts, projection }, range, random, 1);
        expect(outcome.plan.ranges).toEqual([part]);
        await indexVersion(store, outcome.plan.next + 1, olderIn(part));
        await expectSame(outcome.plan.next, await pictureOf(outcome.plan.next + 1));
      },
      SLOW_MS,
    );

    describe('afterwards', () => {
      it(
        'diff reports what the present code would change, and leaves no traces',
        async () => {
          const before = await presentVersions({
            client: servers.client,
            identity: store.identity,
            projection: BASE,
          });
          const parts = { ...store.parts, owner: 'diff', projection: NEWER_CODE };
          const order = { range: ALL };
          const { changes } = await runDiff(quietRun(parts, store.session('diff')), order);
          expect(changes).toMatchObject([{ table: 'messages', added: 0, removed: 0 }]);
          expect(changes[0]?.samples[0]?.columns).toMatchObject([{ column: 'opcode', before: 'NULL' }]);
          expect(
            await presentVersions({ client: servers.client, identity: store.identity, projection: BASE }),
          ).toEqual(before);
        },
        SLOW_MS,
      );

      it(
        'rollback serves the version before; prune leaves only what is served',
        async () => {
          const { client } = servers;
          const version = await earlierVersion({
            client: client,
            identity: store.identity,
            projection: BASE,
          });
          expect(version).toBe(2);
          const parts = { ...store.parts, owner: 'back', projection: NEWER_CODE };
          await runRollback(parts, REPLAY_SETTINGS, version, store.session('back'));
          expect(await servedVersion(client, store.identity, BASE)).toBe(2);
          await pruneVersions(
            { ...parts, owner: 'prune' },
            REPLAY_SETTINGS.sessionMs,
            store.session('prune'),
          );
          expect(
            (await presentVersions({ client: client, identity: store.identity, projection: BASE })).map(
              (one) => one.version,
            ),
          ).toEqual([2]);
          expect(
            (await placedPicture(servers, getDatabase(store.identity, BASE, 2))).raw_blocks?.length,
          ).toBe(chain.blocks);
        },
        SLOW_MS,
      );

      it(
        'a version whose replay was cut off after it was announced is served, and the next is built on it',
        async () => {
          const { client } = servers;
          const parts = { ...store.parts, owner: 'switch', projection: NEWER_CODE };
          const run = (isAccepted: boolean) => {
            const order = { range: ALL, accept: async () => isAccepted };
            return runReplay(quietRun(parts, store.session('switch')), order);
          };
          const { plan } = await run(false);
          const { network } = store.identity;
          await setPointer(client, { network, projection: 'base', version: plan.next }, ANNOUNCE_MS);
          expect(await servedVersion(client, store.identity, BASE)).toBe(plan.served);
          const { plan: again } = await run(true);
          expect(again).toMatchObject({ resumes: false, served: plan.next, next: plan.next + 1 });
          expect(await servedVersion(client, store.identity, BASE)).toBe(again.next);
          const states = (
            await presentVersions({ client: client, identity: store.identity, projection: BASE })
          ).map(({ state }) => state);
          expect(new Set(states)).toEqual(new Set(['ready']));
          await expectSame(plan.next, newer);
          await expectSame(again.next, newer);
        },
        SLOW_MS,
      );
    });
  });
});
