import type { RowParts } from '../projection/row-set.ts';
import type { ChunkRecord, DecodeShare, RecordOutcome } from './chunk.ts';

/** A chunk in transit to a thread: the records' concatenated bytes in one buffer. */
export interface DecodeJob {
  /** Key of the decoder in its thread. */
  readonly decoder: number;
  readonly input: ArrayBuffer;
  readonly keys: readonly string[];
  readonly positions: readonly number[];
  readonly stored: readonly boolean[];
  /** End of each record's bytes. */
  readonly ends: readonly number[];
  /** Memory for the rows. */
  readonly spare: ArrayBuffer | null;
  /** The partition that the rows are for; null: all. */
  readonly share: DecodeShare | null;
}

/** Result of a job: both buffers travel. */
export interface DecodeAnswer {
  readonly input: ArrayBuffer;
  readonly outcomes: readonly RecordOutcome[];
  readonly parts: RowParts;
}

export function sumBytes(records: readonly ChunkRecord[]): number {
  return records.reduce((sum, { value }) => sum + value.length, 0);
}

/** Copies the records' bytes into `input`, which is large enough for them. */
export function packRecords(
  records: readonly ChunkRecord[],
  { decoder, input, spare, share }: Pick<DecodeJob, 'decoder' | 'input' | 'spare' | 'share'>,
): DecodeJob {
  const bytes = new Uint8Array(input);
  const ends: number[] = [];
  let at = 0;
  for (const { value } of records) {
    bytes.set(value, at);
    at += value.length;
    ends.push(at);
  }
  return {
    ...{ decoder, input },
    keys: records.map(({ key }) => key),
    positions: records.map(({ position }) => position),
    stored: records.map(({ isStored = false }) => isStored),
    ends,
    spare,
    share,
  };
}

/** The records again; their values are views into the job's buffer. */
export function unpackRecords({ input, keys, positions, stored, ends }: DecodeJob): ChunkRecord[] {
  let from = 0;
  return ends.map((end, i) => {
    const value = new Uint8Array(input, from, end - from);
    from = end;
    return {
      key: keys[i] as string,
      position: positions[i] as number,
      isStored: stored[i] as boolean,
      value,
    };
  });
}
