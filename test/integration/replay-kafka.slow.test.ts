import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { BASE } from '../../pipelines/base.ts';
import { HeadFollower } from '../../src/engine/replay/head.ts';
import { runRollback } from '../../src/engine/replay/run.ts';
import { servedVersion } from '../../src/engine/versions/prepare-store.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { kafkaLog } from '../contract/log/kafka-log.ts';
import { SeededRandom } from '../contract/log/seeded-random.ts';
import { appendSteps } from '../helpers/copy-log.ts';
import { cutOffReplay } from '../helpers/cut-off-replay.ts';
import { describeWithKafka } from '../helpers/kafka-broker.ts';
import { sampled } from '../helpers/long-run.ts';
import { placedPicture, REPLAY_SERVERS } from '../helpers/replay-servers.ts';
import {
  indexVersion,
  NEWER_CODE,
  OLDER_CODE,
  openReplayStore,
  REPLAY_SETTINGS,
  type ReplayStore,
} from '../helpers/replay-store.ts';
import { describeWithData } from '../helpers/shared-data.ts';

const TEST_MS = 900_000;
/** The cluster first: it can do all that one server can, and more can go wrong. */
const SERVERS = [...REPLAY_SERVERS].reverse();
const ALL = { from: null, to: null } as const;

await describeWithKafka('a replay whose log is on Kafka', (brokers) => {
  describeWithData('with real blocks', (data) => {
    it.each(sampled(SERVERS))(
      'on %s equals a fresh index, cut off while the head grows, and goes back',
      async (_name, start) => {
        const log = await kafkaLog(brokers());
        const servers = await start();
        let store: ReplayStore | null = null;
        try {
          store = await openReplayStore({
            client: servers.client,
            source: `archive:${data}/blocks/packs`,
            epochSize: 20,
            code: OLDER_CODE,
            steps: 70,
            bus: await log.open(),
          });
          await indexVersion(store, 1, OLDER_CODE);
          const { signal } = store.session('head');
          const head = await HeadFollower.start(
            { ...store.parts, owner: 'head' },
            1,
            REPLAY_SETTINGS,
            signal,
          );
          const growing = appendSteps(store.parts.bus, store.rest, 1, () => sleep(100));
          const parts = { ...store.parts, projection: NEWER_CODE };
          const { outcome, cutOff } = await cutOffReplay(store, parts, ALL, new SeededRandom(5), 2);
          await growing;
          await head.catchUp(signal);
          await head.close();
          expect(cutOff).toBe(2);
          const { next } = outcome.plan;
          expect(await servedVersion(servers.client, store.identity, BASE)).toBe(next);
          const rest = await HeadFollower.start({ ...parts, owner: 'rest' }, next, REPLAY_SETTINGS, signal);
          await rest.catchUp(signal);
          await rest.close();
          const whole = { ...store, parts: { ...store.parts, bus: store.whole } };
          const picture = (database: string) => placedPicture(servers, database);
          const found = await picture(getDatabase(store.identity, BASE, next));
          expect(found).toEqual(await picture(await indexVersion(whole, 90, NEWER_CODE)));
          await runRollback({ ...parts, owner: 'back' }, REPLAY_SETTINGS, 1, store.session('back'));
          expect(await servedVersion(servers.client, store.identity, BASE)).toBe(1);
          const older = await picture(getDatabase(store.identity, BASE, 1));
          expect(older).toEqual(await picture(await indexVersion(whole, 91, OLDER_CODE)));
        } finally {
          await store?.close();
          await servers.stop();
          await log.dispose();
        }
      },
      TEST_MS,
    );
  });
});
