/**
 * A form of values that compresses better: the bytes of one value in several parts. The parts of all values of a chunk
 * are stored next to each other, part by part. The log does not know what its values are, so whoever opens it may name
 * one.
 */
export interface ValuePacking {
  /** Name and version of the form; each sealed file has it. */
  readonly name: string;
  /** The parts of a value, always the same number; null if the value has no such form. */
  split(value: Uint8Array): readonly Uint8Array[] | null;
  /** The value that has these parts, in memory of its own. */
  join(parts: readonly Uint8Array[]): Uint8Array;
}

/** The parts of a value if they give exactly its bytes again, else null. */
export function splitExactly(packing: ValuePacking | null, value: Uint8Array): readonly Uint8Array[] | null {
  const parts = packing?.split(value);
  if (!packing || !parts) return null;
  return Buffer.compare(packing.join(parts), value) === 0 ? parts : null;
}
