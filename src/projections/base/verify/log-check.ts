import type { Bus, LogRecord } from '../../../engine/projection/projection.ts';
import type { AvroCodec } from '../../../platform/avro/avro-codec.ts';
import { blockName } from '../../../ton/decode/block-error.ts';
import { toHex } from '../../../ton/hash/hex.ts';
import { sha256 } from '../../../ton/hash/sha256.ts';

export interface LogCheckOptions {
  readonly bus: Bus;
  readonly codec: AvroCodec;
  readonly topic: string;
  readonly onProgress: (done: number, total: number, what: string) => void;
  readonly signal: AbortSignal;
}

export interface LogCheckResult {
  readonly records: number;
  readonly bytes: number;
  readonly problems: number;
  readonly samples: readonly string[];
}

const SAMPLES = 20;
/** Limits of what is in memory at a time. */
const SOME = { records: 500, bytes: 16 << 20 } as const;

/** Checks the files that the log is kept in, and every record of a topic of blocks against its hashes. */
export async function checkLog(options: LogCheckOptions): Promise<LogCheckResult> {
  const { bus, topic, onProgress } = options;
  const found = [...(await bus.check((done, total) => onProgress(done, total, 'files')))];
  const bounds = await bus.bounds(topic);
  const total = bounds.reduce((sum, { first, next }) => sum + next - first, 0);
  const sum = { records: 0, bytes: 0 };
  for (const { lane, first, next } of bounds) {
    try {
      await checkLane(options, { lane, first, next }, found, (records) => {
        sum.records += records.length;
        for (const { value } of records) sum.bytes += value.length;
        onProgress(Math.min(sum.records, total), total, `lane ${lane}`);
      });
    } catch (error) {
      options.signal.throwIfAborted();
      found.push(`lane ${lane}: cannot be read: ${error instanceof Error ? error.message : error}`);
    }
  }
  return { ...sum, problems: found.length, samples: found.slice(0, SAMPLES) };
}

async function checkLane(
  { bus, codec, topic, signal }: LogCheckOptions,
  { lane, first, next }: { readonly lane: number; readonly first: number; readonly next: number },
  found: string[],
  onRecords: (records: readonly LogRecord[]) => void,
): Promise<void> {
  for (let at = first; at < next; ) {
    signal.throwIfAborted();
    const records = await bus.read(topic, lane, at, SOME);
    if (records.length === 0) return;
    for (const record of records) {
      const problem = findProblem(record, codec);
      if (problem) found.push(`lane ${lane}, offset ${record.offset}, ${record.key}: ${problem}`);
    }
    onRecords(records);
    at = (records.at(-1)?.offset ?? at) + 1;
  }
}

/** Defect of a single record; null for none. */
function findProblem({ key, headers, position, value }: LogRecord, codec: AvroCodec): string | null {
  try {
    const datum = codec.decode(value);
    if (datum.kind !== 'raw-block')
      return headers.kind === 'state' ? null : `it contains a ${datum.kind}, not a block`;
    const { workchain, shard, seqno, root_hash, file_hash, boc, mc_seqno } = datum.value;
    const name = blockName({ workchain, shard: BigInt.asUintN(64, shard), seqno: Number(seqno) });
    if (name !== key) return `it contains block ${name}`;
    if (Number(mc_seqno) !== position)
      return `it is at position ${position} and names masterchain ${mc_seqno}`;
    if (toHex(root_hash) !== headers.root_hash)
      return `root hash ${toHex(root_hash)}, announced ${headers.root_hash}`;
    const hash = toHex(sha256(boc));
    return hash === toHex(file_hash) ? null : `file hash ${hash}, expected ${toHex(file_hash)}`;
  } catch (error) {
    return `it cannot be read: ${error instanceof Error ? error.message : error}`;
  }
}
