import type { Bus, LogRecord } from '../log/port.ts';
import type { AvroCodec } from '../platform/avro/avro-codec.ts';
import { DataError } from '../platform/errors/error-kinds.ts';
import { blockIdText, isMasterchain } from './block-id.ts';
import { readShardTops, readSourceBlock } from './read-block.ts';
import type { ChainTip, SourceBlock, SourceState } from './source.ts';
import { readLoggedState, startFromStates } from './states.ts';
import { RAW_BLOCKS } from './step-records.ts';

/** The log does not end as capture leaves it. */
export class LogTailError extends DataError {
  readonly key: string;

  constructor(key: string, lane: number, offset: number, found: string) {
    super(
      `${RAW_BLOCKS} ends with ${key} (lane ${lane}, offset ${offset}): expected a masterchain block, found ${found}`,
    );
    this.key = key;
  }
}

/** Records that are read at once while the states of a start are gathered. */
const READ_LIMIT = { records: 64, bytes: 1 << 26 };

/** Reads the tip of the chain in the log from its last record: a masterchain block, or the states of a start. */
export async function readTip(bus: Bus, codec: AvroCodec, tail: LogRecord): Promise<ChainTip> {
  const { kind, value } = codec.decode(tail.value);
  if (kind === 'raw-state') return startFromStates(await startStates(bus, codec, tail)).tip;
  const block = readSourceBlock(value.boc, `the log, ${tail.key}`);
  const { id } = block;
  if (!isMasterchain(id))
    throw new LogTailError(tail.key, tail.lane, tail.offset, `block ${blockIdText(id)}`);
  return tipAfter(block);
}

/** The tip of the chain that a masterchain block leaves. */
export function tipAfter(block: SourceBlock): ChainTip {
  const { globalId, vertSeqno } = block.header;
  const { id } = block;
  return { mcSeqno: id.seqno, masterchain: id, shards: readShardTops(block), globalId, vertSeqno };
}

/** The states of the log's first step; nothing else is in the log when it ends with one. */
async function startStates(bus: Bus, codec: AvroCodec, tail: LogRecord): Promise<SourceState[]> {
  const { first } = (await bus.bounds(RAW_BLOCKS)).find(({ lane }) => lane === tail.lane) ?? { first: 0 };
  const states: SourceState[] = [];
  let from = first;
  while (from <= tail.offset) {
    const records = await bus.read(RAW_BLOCKS, tail.lane, from, READ_LIMIT);
    if (records.length === 0) break;
    for (const { key, value } of records) states.push(readLoggedState(codec, key, value));
    from = records.at(-1)!.offset + 1;
  }
  return states;
}
