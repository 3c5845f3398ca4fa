import type { SealedQuery } from '../port.ts';
import type { StoredRow } from './stored-row.ts';
import { splitExactly, type ValuePacking } from './value-packing.ts';

/** Everything of a chunk's records except their values; the record `i` has the offset `first + i`. */
interface ChunkFacts {
  readonly first: number;
  readonly positions: readonly number[];
  readonly endsStep: readonly number[];
  readonly appendedAt: readonly number[];
  readonly keys: readonly string[];
  readonly headers: readonly string[];
  /** Bytes of each part of each value; a single number for a value that is stored in one piece. */
  readonly sizes: readonly (readonly number[])[];
}

/** A chunk before compression. Its values are needed only by who reads values. */
export interface ChunkBytes {
  readonly facts: Uint8Array;
  readonly values: Uint8Array;
}

const NO_VALUE = new Uint8Array(0);

/** Encodes records with consecutive offsets. */
export function encodeChunk(rows: readonly StoredRow[], packing: ValuePacking | null): ChunkBytes {
  const whole: Uint8Array[] = [];
  const parts: Uint8Array[][] = [];
  const sizes = rows.map(({ value }) => {
    const split = splitExactly(packing, value);
    if (!split) {
      whole.push(value);
      return [value.length];
    }
    for (const [i, part] of split.entries()) {
      parts[i] ??= [];
      parts[i].push(part);
    }
    return split.map(({ length }) => length);
  });
  const facts: ChunkFacts = {
    first: rows[0]?.offset ?? 0,
    positions: rows.map(({ position }) => position),
    endsStep: rows.map(({ ends_step }) => ends_step),
    appendedAt: rows.map(({ appended_at }) => appended_at),
    keys: rows.map(({ key }) => key),
    headers: rows.map(({ headers }) => headers),
    sizes,
  };
  return { facts: Buffer.from(JSON.stringify(facts)), values: Buffer.concat([...whole, ...parts.flat()]) };
}

/** Records of a chunk; `values` null: they are not read. */
export class ChunkRows {
  readonly #facts: ChunkFacts;
  readonly #packing: ValuePacking | null;
  readonly #values: Uint8Array | null;
  /** Offset of each part of each value. */
  readonly #places: readonly (readonly number[])[];

  /** `shift`: added to the offsets of the file. */
  constructor(facts: Uint8Array, values: Uint8Array | null, packing: ValuePacking | null, shift = 0) {
    const stored = JSON.parse(Buffer.from(facts).toString()) as ChunkFacts;
    this.#facts = { ...stored, first: stored.first + shift };
    this.#values = values;
    this.#packing = packing;
    this.#places = placeParts(this.#facts.sizes);
  }

  get hasValues(): boolean {
    return this.#values !== null;
  }

  /** Records from one offset to before another. Values are in memory of their own; empty if they were not read or not wanted. */
  *rows(first: number, next: number, withoutValues = false): Generator<StoredRow> {
    const { positions, endsStep, appendedAt, keys, headers } = this.#facts;
    const start = Math.max(0, first - this.#facts.first);
    const end = Math.min(positions.length, next - this.#facts.first);
    for (let i = start; i < end; i++)
      yield {
        offset: this.#facts.first + i,
        position: positions[i] as number,
        ends_step: endsStep[i] as number,
        appended_at: appendedAt[i] as number,
        key: keys[i] as string,
        headers: headers[i] as string,
        value: withoutValues ? NO_VALUE : this.#getValue(i),
      };
  }

  /** Offsets of the records that a query wants. */
  find({ first, last, keys }: SealedQuery): number[] {
    const wanted = keys && new Set(keys);
    const { first: start, positions, keys: found } = this.#facts;
    return positions.flatMap((position, i) => {
      const isWanted = position >= first && position <= last && (wanted?.has(found[i] as string) ?? true);
      return isWanted ? [start + i] : [];
    });
  }

  #getValue(i: number): Uint8Array {
    const values = this.#values;
    if (!values) return NO_VALUE;
    const sizes = this.#facts.sizes[i] as readonly number[];
    const parts = sizes.map((size, k) => {
      const at = this.#places[i]?.[k] as number;
      return values.subarray(at, at + size);
    });
    const [whole] = parts;
    // A copy: the memory of a value moves to the thread that asked for it.
    if (parts.length === 1) return new Uint8Array(whole as Uint8Array);
    if (!this.#packing) throw new Error('a packed value needs its packing');
    return this.#packing.join(parts);
  }
}

/** Values in one piece come first, then all first parts, all second parts and so on. */
function placeParts(sizes: ChunkFacts['sizes']): number[][] {
  const places: number[][] = sizes.map(() => []);
  let at = 0;
  const put = (i: number, k: number) => {
    (places[i] as number[])[k] = at;
    at += sizes[i]?.[k] as number;
  };
  const split = sizes.flatMap((one, i) => (one.length > 1 ? [i] : []));
  for (const [i, one] of sizes.entries()) if (one.length === 1) put(i, 0);
  const parts = Math.max(0, ...split.map((i) => sizes[i]?.length ?? 0));
  for (let k = 0; k < parts; k++) for (const i of split) put(i, k);
  return places;
}
