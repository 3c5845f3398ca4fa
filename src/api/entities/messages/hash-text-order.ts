/** First 8 bytes of hashes as numbers, both bounds inclusive. */
export interface HashRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** The values of base64 digits whose characters come first and last in the C collation: `+` and `z`. */
const FIRST_DIGIT = 62n;
const LAST_DIGIT = 51n;
const BITS = 64n;
const DIGIT_BITS = 6n;

/**
 * The hashes whose base64 texts begin with `depth` characters of the first, or last, kind in byte order: one of 64 to
 * the power of `depth`. `depth` 1 to 10.
 */
export function outermostTexts(depth: number, last: boolean): HashRange {
  let prefix = 0n;
  for (let i = 0; i < depth; i++) prefix = (prefix << DIGIT_BITS) | (last ? LAST_DIGIT : FIRST_DIGIT);
  const rest = BITS - DIGIT_BITS * BigInt(depth);
  return { from: prefix << rest, to: ((prefix + 1n) << rest) - 1n };
}
