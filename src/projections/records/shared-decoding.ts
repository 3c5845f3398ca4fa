import type { ChunkRecord, DecodeRecords } from '../../engine/decoding/chunk.ts';
import type { RowParts } from '../../engine/projection/row-set.ts';
import { roomFor } from '../../ton/kernel/native-parts.ts';

type Decoded = ReturnType<DecodeRecords>;

/** A decoded chunk, and the records that it was made of. */
interface CachedChunk {
  readonly keys: readonly string[];
  readonly positions: readonly number[];
  readonly stored: readonly boolean[];
  readonly ends: readonly number[];
  /** Bytes of all records: a copy. */
  readonly input: Uint8Array;
  readonly decoded: Decoded;
}

/**
 * Decoded chunks of one thread, shared by decoders with the same options. `base`, `traces` and each partition of `activity` and
 * `contracts` read the same records: the first one decodes, the others take its rows. A chunk is found by its bytes.
 */
export class SharedDecoding {
  readonly #maxBytes: number;
  readonly #chunks: CachedChunk[] = [];
  /** Memory of the last evicted chunk. */
  #spare: ArrayBuffer | null = null;
  /** Decoders that use it. A single one caches nothing. */
  users = 0;

  /** `maxBytes`: memory of the cached chunks, except the newest one. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Decodes records with `decode`, unless they are cached. The rows belong to the cache: they are valid until its next call. */
  get(records: readonly ChunkRecord[], decode: DecodeRecords): Decoded {
    const found = this.#find(records);
    if (found) return found;
    const decoded = decode(records, this.#spare);
    this.#spare = null;
    if (this.users < 2) this.#spare = decoded.parts.buffer;
    else this.#add(records, decoded);
    return decoded;
  }

  #find(records: readonly ChunkRecord[]): Decoded | null {
    const at = this.#chunks.findLastIndex((chunk) => hasRecords(chunk, records));
    return at < 0 ? null : (this.#chunks[at] as CachedChunk).decoded;
  }

  #add(records: readonly ChunkRecord[], decoded: Decoded): void {
    const ends: number[] = [];
    for (const { value } of records) ends.push((ends.at(-1) ?? 0) + value.length);
    this.#chunks.push({
      keys: records.map(({ key }) => key),
      positions: records.map(({ position }) => position),
      stored: records.map(({ isStored = false }) => isStored),
      ends,
      input: Buffer.concat(records.map(({ value }) => value)),
      decoded,
    });
    // The newest one is in use.
    while (this.#chunks.length > 1 && this.#bytes() > this.#maxBytes)
      this.#spare = this.#chunks.shift()?.decoded.parts.buffer ?? null;
  }

  #bytes(): number {
    return this.#chunks.reduce(
      (sum, { input, decoded }) => sum + input.length + decoded.parts.buffer.byteLength,
      0,
    );
  }
}

function hasRecords(
  { keys, positions, stored, ends, input }: CachedChunk,
  records: readonly ChunkRecord[],
): boolean {
  if (records.length !== keys.length) return false;
  return records.every(({ key, position, isStored = false, value }, i) => {
    if (key !== keys[i] || position !== positions[i] || isStored !== stored[i]) return false;
    return Buffer.compare(value, input.subarray(ends[i - 1] ?? 0, ends[i])) === 0;
  });
}

/** By options as text. */
const shared = new Map<string, SharedDecoding>();

/** The shared chunks of this thread for a further decoder with these options. */
export function joinSharedDecoding(options: string, maxBytes = 0): SharedDecoding {
  const found = shared.get(options) ?? new SharedDecoding(maxBytes);
  shared.set(options, found);
  found.users++;
  return found;
}

/** Copies rows, into `spare` if it is large enough. */
export function copyParts({ buffer, rows, sizes }: RowParts, spare: ArrayBuffer | null): RowParts {
  const size = sizes.reduce((sum, length) => sum + ((length + 7) & ~7), 0);
  const copy = roomFor(size, spare);
  new Uint8Array(copy).set(new Uint8Array(buffer, 0, size));
  return { buffer: copy, rows: [...rows], sizes: sizes.slice() };
}
