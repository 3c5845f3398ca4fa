import type { Amendment, Bus, LogRecord } from '../../log/port.ts';
import { type DeadLetter, openDeadLetters, resolution } from '../dead-letters/dead-letter-list.ts';
import { DEAD_LETTERS } from '../dead-letters/dead-letter-sink.ts';
import { type ChunkDecoder, isFailure } from '../decoding/chunk.ts';
import { startDecoder } from '../decoding/start-decoder.ts';
import type { DecoderSettings } from '../engine-parts.ts';
import { getTransform, type TopicParts } from '../lanes/topic-member.ts';
import type { OutputBatch } from '../projection/projection.ts';

/**
 * Decodes the records of a projection's open dead letters once more. Those that can be decoded now are published,
 * and their dead letters settled, in one transaction each. Returns how many.
 */
export async function retryTopics(
  parts: TopicParts,
  settings: DecoderSettings,
  decoder?: ChunkDecoder,
): Promise<number> {
  const { bus, identity, projection } = parts;
  const isOurs = ({ stage }: DeadLetter) => stage === projection.group;
  if (!(await openDeadLetters(bus)).some(isOurs)) return 0;
  const amendment = await bus.amend({ ...getTransform(projection), done: DEAD_LETTERS });
  const using = decoder ?? (await startDecoder(parts, settings));
  const beginOutput = projection.createEncoder(identity.lanes);
  try {
    let settled = 0;
    // Read only now: another retry may have settled some until it was fenced.
    for (const deadLetter of (await openDeadLetters(bus)).filter(isOurs))
      if (await retryDeadLetter(deadLetter, { ...parts, decoder: using, beginOutput, amendment })) settled++;
    return settled;
  } finally {
    await using.close();
    await amendment.close();
  }
}

interface RetryParts extends TopicParts {
  readonly decoder: ChunkDecoder;
  readonly beginOutput: () => OutputBatch;
  readonly amendment: Amendment;
}

async function retryDeadLetter(
  deadLetter: DeadLetter,
  { bus, log, projection, decoder, beginOutput, amendment }: RetryParts,
): Promise<boolean> {
  const record = await readOriginal(bus, projection.reads, deadLetter);
  const { outcomes, parts, release } = await decoder.decode([record]);
  const failure = outcomes.find(isFailure);
  try {
    if (failure) {
      log.warn({ key: record.key, code: failure.code }, failure.message);
      return false;
    }
    const output = beginOutput();
    const records = parts.flatMap((some) => output.encode(some, record));
    await amendment.write(records, resolution(deadLetter));
    return true;
  } finally {
    release();
  }
}

/** The record in the log or, if it was trimmed, from the dead letter. */
async function readOriginal(bus: Bus, topic: string, { record }: DeadLetter): Promise<LogRecord> {
  const [lane, offset] = [Number(record.headers.lane), Number(record.headers.offset)];
  const found = await bus.read(topic, lane, offset, { records: 1, bytes: 1 });
  const { epoch, position } = record.headers;
  const restored = { ...record, lane, offset, epoch: Number(epoch), position: Number(position) };
  return found.find((one) => one.offset === offset) ?? restored;
}
