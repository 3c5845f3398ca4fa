import kafkajs from 'kafkajs';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { BASE } from '../../../pipelines/base.ts';
import { openBlockArchive } from '../../../src/capture/block-archive.ts';
import { repairStore } from '../../../src/engine/repair/repair-store.ts';
import { repairText } from '../../../src/engine/repair/repair-text.ts';
import { trimStoredEpochs } from '../../../src/engine/retention/trim-log.ts';
import { verifyVersion } from '../../../src/engine/verify/verify-version.ts';
import { readVisible } from '../../../src/engine/watermark/visible-span.ts';
import { RecordsDeletedError } from '../../../src/log/errors.ts';
import type { Bus } from '../../../src/log/port.ts';
import { type KafkaLog, kafkaLog } from '../../contract/log/kafka-log.ts';
import { startTestServer, type TestServer } from '../../helpers/clickhouse-server.ts';
import { describeWithKafka } from '../../helpers/kafka-broker.ts';
import {
  indexVersion,
  NEWER_CODE,
  openReplayStore,
  REPLAY_SETTINGS,
  type ReplayStore,
} from '../../helpers/replay-store.ts';
import { describeWithData } from '../../helpers/shared-data.ts';

const SLOW_MS = 600_000;
const TOPIC = 'raw-blocks';
const LANE = 1;
/** The version that a new store serves. */
const VERSION = 1;
/** Lane 1 of three has the epochs 1, 4, 7 … of nine steps: all of the first of them, and a part of the second. */
const FIRST_KEPT = 40;
const LOST = [9, 10, 11, 12, 13, 14, 15, 16, 17, 36, 37, 38, 39];

await describeWithKafka('records that an operator deletes in Kafka', (brokers) => {
  describeWithData('before they are indexed', (data) => {
    const source = `archive:${data}/blocks/packs`;
    let server: TestServer;
    let log: KafkaLog;
    let bus: Bus;
    let store: ReplayStore;
    /** First offset that Kafka keeps. */
    let kept: number;

    beforeAll(async () => {
      server = await startTestServer();
      log = await kafkaLog(brokers());
      bus = await log.open();
      const layout = { epochSize: 9, lanes: 3, code: NEWER_CODE };
      store = await openReplayStore({ client: server.client, source, bus, ...layout });
      kept = await offsetOfStep(FIRST_KEPT);
      await deleteBefore(kept);
    }, SLOW_MS);
    afterAll(async () => {
      await store?.close();
      await log?.dispose();
      await server?.stop();
    });

    async function offsetOfStep(position: number, from = 0): Promise<number> {
      const { next } = (await bus.bounds(TOPIC))[LANE]!;
      for (let at = from; at < next; ) {
        const records = await bus.read(TOPIC, LANE, at, { records: 100, bytes: 1 << 24 });
        const found = records.find((record) => record.position === position);
        if (found) return found.offset;
        at = records.at(-1)!.offset + 1;
      }
      throw new Error(`no step ${position} in lane ${LANE}`);
    }

    /** As `kafka-delete-records` does. */
    async function deleteBefore(offset: number): Promise<void> {
      const kafka = new kafkajs.Kafka({ brokers: [...brokers()], logLevel: kafkajs.logLevel.NOTHING });
      const admin = kafka.admin();
      await admin.connect();
      const topic = `${log.options.prefix}.${TOPIC}`;
      await admin.fetchTopicOffsets(topic);
      await admin.deleteTopicRecords({ topic, partitions: [{ partition: LANE, offset: String(offset) }] });
      await admin.disconnect();
    }

    const parts = () => ({ ...store.parts, bus, projection: BASE });
    const { signal } = new AbortController();

    async function problems(): Promise<string[]> {
      const { checks } = await verifyVersion(parts(), { isFull: true, onProgress() {}, signal });
      return checks
        .filter((check) => check.problems > 0)
        .map(({ name, samples }) => `${name}: ${samples[0]}`);
    }

    async function repair(spec: string | null) {
      const archive = spec === null ? null : await openBlockArchive(spec);
      onTestFinished(async () => archive?.close());
      return repairStore(parts(), REPLAY_SETTINGS, archive, { ...store.session('repair'), onStep() {} });
    }

    const deleted = () => [{ lane: LANE, first: 0, next: kept, firstEpoch: 1 }];

    it(
      'stop the stage, are named by verify, and are restored from an archive',
      async () => {
        expect(await bus.deleted(TOPIC)).toEqual(deleted());
        const error = await indexVersion(store, VERSION, NEWER_CODE).catch((found: unknown) => found);
        expect(error).toBeInstanceOf(RecordsDeletedError);
        expect(error).toMatchObject({ lane: LANE, first: 0, next: kept });
        expect(await problems()).toEqual([
          expect.stringContaining(`log-records: lane ${LANE}: offsets 0 to ${kept - 1} were deleted`),
        ]);

        const without = await repair(null);
        expect(without.deletedInLog).toEqual(deleted());
        expect(without.lost.map(({ position }) => position)).toEqual(LOST);
        expect(repairText(without)).toContain(`the log lost offsets 0 to ${kept - 1} of lane ${LANE}`);
        expect(await bus.deleted(TOPIC)).toEqual(deleted());

        const report = await repair(source);
        expect(report.lost).toEqual([]);
        expect(report.blocksRestored).toBeGreaterThanOrEqual(LOST.length);
        expect(await bus.deleted(TOPIC)).toEqual([]);

        const database = await indexVersion(store, VERSION, NEWER_CODE);
        expect(await problems()).toEqual([]);
        expect(await readVisible(server.client, database, 'chain')).toEqual({ first: 1, last: 99 });
        const { rows } = await server.client.queryRows<[string]>(`SELECT count() FROM ${database}.blocks`, {
          route: 'test',
        });
        expect(Number(rows[0]![0])).toBe(299);
      },
      SLOW_MS,
    );

    it(
      'change nothing once the store has their blocks',
      async () => {
        await deleteBefore(await offsetOfStep(90, kept));
        expect(await bus.deleted(TOPIC)).toHaveLength(1);
        expect(await problems()).toEqual([]);
        await trimStoredEpochs({ ...parts(), version: VERSION }, 11, signal);
        expect(await bus.deleted(TOPIC)).toEqual([]);
      },
      SLOW_MS,
    );
  });
});
