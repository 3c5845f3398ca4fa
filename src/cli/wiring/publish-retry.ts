import { join } from 'node:path';
import { PUBLISH } from '../../../pipelines/publish.ts';
import { loadSchemas } from '../../platform/avro/schema-files.ts';
import type { Amendment, Bus, LogRecord } from '../../platform/bus/port.ts';
import { DEAD_LETTERS } from '../../stages/decode/dead-letters.ts';
import { AvroOutput } from '../../stages/publish/avro-output.ts';
import type { PublishDecoder } from '../../stages/publish/publish-ports.ts';
import { RecordEncoder } from '../../stages/publish/record-encoder.ts';
import { type DeadLetter, openDeadLetters, resolution } from './dead-letter-list.ts';
import { type DecoderSettings, recordDecoder } from './decode.ts';
import { PROJECT } from './projection.ts';
import { PUBLISH_TRANSFORM, type PublishParts, publishDecoder } from './publish.ts';

const isOfPublish = ({ stage }: DeadLetter) => stage === PUBLISH.group;

/**
 * Decodes the records of open dead letters of the stage `publish` once more. Those that can be decoded now are published,
 * and their letters settled, in one transaction each. Returns how many.
 */
export async function retryPublished(
  parts: PublishParts,
  settings: DecoderSettings,
  decoder?: PublishDecoder,
): Promise<number> {
  const { bus, identity } = parts;
  if (!(await openDeadLetters(bus)).some(isOfPublish)) return 0;
  const amendment = await bus.amend(PUBLISH_TRANSFORM);
  const using = decoder ?? publishDecoder(await recordDecoder(parts, settings));
  const encoder = new RecordEncoder(loadSchemas(join(PROJECT, 'schemas')), identity.lanes);
  try {
    let settled = 0;
    // Read only now: another retry may have settled some until it was fenced.
    for (const letter of (await openDeadLetters(bus)).filter(isOfPublish))
      if (await retryLetter(letter, { ...parts, decoder: using, encoder, amendment })) settled++;
    return settled;
  } finally {
    await using.close();
    await amendment.close();
  }
}

interface RetryParts extends PublishParts {
  readonly decoder: PublishDecoder;
  readonly encoder: RecordEncoder;
  readonly amendment: Amendment;
}

async function retryLetter(
  letter: DeadLetter,
  { bus, log, decoder, encoder, amendment }: RetryParts,
): Promise<boolean> {
  const record = await originalOf(bus, letter);
  const { failure, parts, release } = await decoder.decode(record);
  try {
    if (failure) {
      log.warn({ key: record.key, code: failure.code }, failure.message);
      return false;
    }
    const out = new AvroOutput();
    const records = parts.flatMap((some) => encoder.encode(some, record, out));
    await amendment.write(records, { topic: DEAD_LETTERS, ...resolution(letter) });
    return true;
  } finally {
    release();
  }
}

/** The record in the log; where it was trimmed, as the letter has kept it. */
async function originalOf(bus: Bus, { record }: DeadLetter): Promise<LogRecord> {
  const [lane, offset] = [Number(record.headers.lane), Number(record.headers.offset)];
  const found = await bus.read(PUBLISH.topic, lane, offset, { records: 1, bytes: 1 });
  const { epoch, position } = record.headers;
  const kept = { ...record, lane, offset, epoch: Number(epoch), position: Number(position) };
  return found.find((one) => one.offset === offset) ?? kept;
}
