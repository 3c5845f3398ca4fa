import type { KafkaBusOptions } from '../../../src/log/kafka/kafka-options.ts';
import type { LaneLease, OutputRecord, TransformingBus, TransformOptions } from '../../../src/log/port.ts';
import { kafkaLog } from '../../contract/log/kafka-log.ts';
import { IDENTITY, record, step, TOPIC } from '../../contract/log/test-steps.ts';
import { readCommitted } from '../../helpers/kafka-reader.ts';

export const OPTIONS: TransformOptions = { topic: TOPIC, group: 'publish', outputs: ['one', 'two'] };
const SESSION_MS = 600_000;

/** A record for each topic, named after the offset that it is of. */
export const output = (offset: number): OutputRecord[] =>
  OPTIONS.outputs.map((topic) => ({ ...record(`${topic}/${offset}`), topic, partition: offset % 4 }));

export interface TransformLog {
  readonly options: KafkaBusOptions;
  readonly open: () => Promise<TransformingBus>;
  /** Keys that readers of committed records see in an output, sorted. */
  readonly keys: (topic: string) => Promise<string[]>;
  /** Duplicate records of an output: their positions and write times. */
  readonly twice: (topic: string) => Promise<string[]>;
  readonly dispose: () => Promise<void>;
}

/** A log whose lane 0 has records at the offsets from 0 on. */
export async function transformLog(
  brokers: readonly string[],
  count: number,
  more: Partial<KafkaBusOptions> = {},
): Promise<TransformLog> {
  const log = await kafkaLog(brokers, more);
  const open = () => log.open() as Promise<TransformingBus>;
  const bus = await open();
  await bus.establish(IDENTITY);
  const writer = await bus.writer(TOPIC, 'writer', SESSION_MS);
  await writer.append([step(0, count)]);
  await writer.release();
  const read = (topic: string) => readCommitted(log.options, topic, IDENTITY.lanes);
  const keys = async (topic: string) => (await read(topic)).map(({ key }) => key).sort();
  const twice = async (topic: string) =>
    [...Map.groupBy(await read(topic), ({ key }) => key).values()]
      .filter(({ length }) => length > 1)
      .flat()
      .map(({ key, partition, offset, timestamp }) => `${key} at ${partition}:${offset}, ${timestamp} ms`);
  return { options: log.options, open, keys, twice, dispose: () => log.dispose() };
}

/** The lease of lane 0, for a new member of the group. */
export async function claimLane(
  bus: TransformingBus,
  owner: string,
  sessionMs = SESSION_MS,
): Promise<LaneLease> {
  const consumer = await bus.consumer({ topic: TOPIC, group: OPTIONS.group, owner, sessionMs });
  return (await consumer.claim()).find(({ lane }) => lane === 0) as LaneLease;
}
