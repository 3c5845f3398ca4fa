import type {
  ChunkDecoder,
  ChunkRecord,
  DecodedChunk,
  RecordOutcome,
} from '../../../../src/engine/decoding/chunk.ts';
import type { LogRecord } from '../../../../src/log/port.ts';
import { BaseColumns } from '../../../../src/ton/columns/base-columns.ts';
import { partsOfColumns } from '../../../../src/ton/kernel/native-parts.ts';

/** Size of every record's value. */
export const VALUE_BYTES = 100;

export interface RecordFacts {
  readonly position: number;
  readonly key?: string;
  readonly epoch?: number;
  readonly root?: string;
  readonly endsStep?: boolean;
}

/** A lane of the log; offsets count from 0. */
export function lane(...records: readonly RecordFacts[]): LogRecord[] {
  return records.map(({ position, key, epoch = 0, root = 'aa', endsStep = true }, offset) => ({
    lane: 3,
    offset,
    epoch,
    position,
    endsStep,
    appendedAt: 0,
    key: key ?? `k${position}`,
    headers: { root_hash: root },
    value: new Uint8Array(VALUE_BYTES),
  }));
}

/** Reads a lane, so many records at a time, as the log does: never across an epoch's border. */
export function reader(records: readonly LogRecord[], atOnce = 10) {
  return async (from: number): Promise<readonly LogRecord[]> => {
    const epoch = records[from]?.epoch;
    const some = records.slice(from, from + atOnce);
    const end = some.findIndex((record) => record.epoch !== epoch);
    return end < 0 ? some : some.slice(0, end);
  };
}

/**
 * A decoder with scripted behaviour for each chunk. Every record becomes one row of `config_params` with its position,
 * so that the order of rows can be read back.
 */
export class ScriptedDecoder implements ChunkDecoder {
  readonly chunkBytes: number;
  readonly ahead: number;
  readonly seen: string[][] = [];
  /** Chunks given and not answered: now, and at most. */
  underWay = 0;
  mostUnderWay = 0;
  /** Chunks answered whose rows are still held. */
  held = 0;
  released = 0;
  /** How a record is taken; default: decoded. */
  outcome: (record: ChunkRecord) => RecordOutcome = () => ({ blocks: 1, transactions: 10, messages: 20 });
  /** When a chunk is answered; default: at once. */
  when: (chunk: number) => Promise<void> = async () => {};

  constructor(recordsOfChunk = 2, ahead = 3) {
    this.chunkBytes = recordsOfChunk * VALUE_BYTES;
    this.ahead = ahead;
  }

  async decode(records: readonly ChunkRecord[]): Promise<DecodedChunk> {
    const number = this.seen.push(records.map(({ key }) => key)) - 1;
    this.mostUnderWay = Math.max(this.mostUnderWay, ++this.underWay);
    await this.when(number);
    this.underWay--;
    const columns = new BaseColumns();
    const outcomes = records.map((record) => {
      const outcome = this.outcome(record);
      if (!('code' in outcome)) writeRow(columns, record.position);
      return outcome;
    });
    this.held++;
    const release = () => {
      this.held--;
      this.released++;
    };
    return { outcomes, parts: [partsOfColumns(columns, null)], release };
  }

  async close(): Promise<void> {}
}

function writeRow(columns: BaseColumns, position: number): void {
  const { col } = columns.tables.config_params;
  col.mc_seqno.push(position);
  col.param.push(0);
  col.hash.push(new Uint8Array(32));
  col.boc.push(new Uint8Array(0));
  columns.tables.config_params.endRow();
}
