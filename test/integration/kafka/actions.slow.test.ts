import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { BASE } from '../../../pipelines/base.ts';
import { CONTRACTS } from '../../../pipelines/contracts.ts';
import { FINISHED_TRACES } from '../../../pipelines/finished-traces.ts';
import { ACTIONS } from '../../../pipelines/projections.ts';
import { TRACES } from '../../../pipelines/traces.ts';
import { allCaughtUp, followHead } from '../../../src/engine/head/follow-served.ts';
import type { TableProjection } from '../../../src/engine/projection/projection.ts';
import { readIslands } from '../../../src/engine/versions/confirmed-islands.ts';
import { prepareStore } from '../../../src/engine/versions/prepare-store.ts';
import { getDatabase, getGroup } from '../../../src/engine/versions/version-names.ts';
import { kafkaLog } from '../../contract/log/kafka-log.ts';
import { emptyServer, startTestServer } from '../../helpers/clickhouse-server.ts';
import { describeWithKafka } from '../../helpers/kafka-broker.ts';
import { openReplayStore, REPLAY_SETTINGS, type ReplayStore } from '../../helpers/replay-store.ts';
import { describeWithData } from '../../helpers/shared-data.ts';
import { versionPicture } from '../../helpers/version-picture.ts';
import { StageProcess } from '../../simulation/common/stage-process.ts';
import { pidOf } from './published-log.ts';

/** Long enough for a slow machine: the limit is to find only rows that never come. */
const TEST_MS = 900_000;
const NEEDED = [BASE, CONTRACTS, TRACES, ACTIONS];
const LAST = 99;

const partsOf = (store: ReplayStore, projection: TableProjection) => ({
  ...store.parts,
  projection,
  owner: 'test',
});

/** Follows the head in this process until all that the log holds is there. */
async function follow(store: ReplayStore, projections: readonly TableProjection[]): Promise<void> {
  const stop = new AbortController();
  const heads = projections.map((projection) =>
    followHead(partsOf(store, projection), REPLAY_SETTINGS, { onBatch() {} }, stop.signal),
  );
  const running = Promise.all(heads.map((head) => head.running));
  await Promise.race([allCaughtUp(heads), running]);
  stop.abort();
  await running;
}

/** Every row of traces and of actions. */
async function pictureOf({ identity, parts: { client } }: ReplayStore) {
  const of = (projection: TableProjection) => versionPicture(client, getDatabase(identity, projection));
  return { traces: await of(TRACES), actions: await of(ACTIONS) };
}

async function until(what: string, look: () => Promise<boolean>, stages: readonly StageProcess[]) {
  for (const deadline = Date.now() + TEST_MS / 2; !(await look()); await sleep(50))
    if (Date.now() > deadline) throw new Error(`${what}: ${stages.map(({ words }) => words).join('\n')}`);
}

await describeWithKafka('two processes that write traces and actions', (brokers) => {
  describeWithData('with the genesis packs', (data) => {
    it(
      'leave the rows of the embedded log on Kafka, though the one that feeds is killed',
      async () => {
        const server = await startTestServer();
        const kafka = await kafkaLog(brokers());
        const folder = mkdtempSync(join(tmpdir(), 'tonhouse-joined-'));
        const options = {
          source: `archive:${data}/blocks/packs`,
          client: server.client,
          epochSize: 20,
          code: BASE,
        };
        const stages: StageProcess[] = [];
        try {
          const embedded = await openReplayStore(options);
          const expected = await prepareStore(server.client, embedded.identity, NEEDED)
            .then(() => follow(embedded, NEEDED))
            .then(() => pictureOf(embedded))
            .finally(() => embedded.close());
          expect(expected.actions.actions!.length).toBeGreaterThan(500);
          await emptyServer(server);

          const store = await openReplayStore({ ...options, bus: await kafka.open() });
          try {
            await prepareStore(server.client, store.identity, NEEDED);
            const environment = {
              TONHOUSE_DATA: folder,
              TONHOUSE_PROJECTIONS: 'traces,actions',
              TONHOUSE_KAFKA: brokers().join(','),
              TONHOUSE_KAFKA_PREFIX: kafka.options.prefix,
              TONHOUSE_CLICKHOUSE_URL: server.url,
              TONHOUSE_CLICKHOUSE_USER: String(server.connection.user),
              TONHOUSE_CLICKHOUSE_PASSWORD: String(server.connection.password),
              TONHOUSE_SESSION_MS: '3000',
              TONHOUSE_BATCH_ROWS: '20',
              TONHOUSE_BATCH_MS: '0',
              TONHOUSE_DECODE_WORKERS: '0',
            };
            for (const name of ['one', 'two'])
              stages.push(new StageProcess(['decode'], environment, join(folder, `${name}.log`)));
            const { bus } = store.parts;
            await until(
              'the topic begins',
              async () => {
                const lanes = await bus.bounds(FINISHED_TRACES);
                return lanes.some(({ first, next }) => next > first);
              },
              stages,
            );
            const ownersOfTraces = async () => {
              const lanes = (await bus.lag()).filter(({ group }) => group === getGroup(TRACES, 1));
              return lanes.map(({ owner }) => pidOf(owner));
            };
            const owners = await ownersOfTraces();
            const feeding = stages.find(({ pid }) => owners.includes(pid));
            expect(feeding, JSON.stringify(owners)).toBeDefined();
            feeding!.signal('SIGKILL');
            await feeding!.exited;
            await follow(store, [BASE, CONTRACTS]);
            const database = getDatabase(store.identity, ACTIONS);
            await until(
              'every step has its actions',
              async () => {
                const [island, ...others] = await readIslands(server.client, database);
                return others.length === 0 && island?.first === 1 && island.last === LAST;
              },
              stages,
            );
            expect(await pictureOf(store)).toEqual(expected);
            const [other] = stages.filter((stage) => stage !== feeding);
            // It may still start if the first process had decoded everything.
            await until(
              'the other process has a lane',
              async () => (await ownersOfTraces()).includes(other!.pid),
              stages,
            );
            other!.signal('SIGTERM');
            expect(await other!.exited, other!.words).toMatchObject({ code: 0 });
          } finally {
            await store.close();
          }
        } finally {
          for (const stage of stages) stage.signal('SIGKILL');
          await Promise.all(stages.map(({ exited }) => exited));
          await kafka.dispose();
          await server.stop();
          rmSync(folder, { recursive: true, force: true });
        }
      },
      TEST_MS,
    );
  });
});
