/** Signed sums of grams: 192 bits, two's complement, least significant word first. */
function addWords(to: usize, low: u64, high: u64, top: u64): void {
  const a = load<u64>(to) + low;
  const carry: u64 = a < low ? 1 : 0;
  const b = load<u64>(to, 8) + high;
  const b2 = b + carry;
  const carry2: u64 = (b < high ? 1 : 0) + (b2 < carry ? 1 : 0);
  store<u64>(to, a);
  store<u64>(to, b2, 8);
  store<u64>(to, load<u64>(to, 16) + top + carry2, 16);
}

/** Adds a number of 128 bits. */
export function addGrams(to: usize, from: usize): void {
  addWords(to, load<u64>(from), load<u64>(from, 8), 0);
}

/** Takes away a number of 128 bits. */
export function subtractGrams(to: usize, from: usize): void {
  // -x is ~x + 1.
  addWords(to, ~load<u64>(from), ~load<u64>(from, 8), ~(<u64>0));
  addWords(to, 1, 0, 0);
}

@inline
export function isNegative(from: usize): bool {
  return <i64>load<u64>(from, 16) < 0;
}
