/**
 * Refusing a block. The host's function throws, so a refusal unwinds everything and nothing here has to hand an error
 * upwards; the next block starts from a clean state.
 */
@external('host', 'refuse')
declare function hostRefuse(code: i32, what: string, where: i32, at: i32, expected: u64, found: u64): void;

@external('host', 'refuseHash')
declare function hostRefuseHash(code: i32, what: string, where: i32, at: i32, expected: usize, found: usize): void;

@external('host', 'refuseAmount')
declare function hostRefuseAmount(code: i32, what: string, where: i32, expected: usize, found: usize): void;

/** BocError; `where` is a cell or -1, `at` a byte. */
export const BOC: i32 = 0;
/** CellError; `where` is a cell, `at` a bit. */
export const CELL: i32 = 1;
export const MERKLE: i32 = 2;
export const ROOT_HASH: i32 = 3;
export const FOREIGN_CHAIN: i32 = 4;
export const KIND: i32 = 5;
export const HEADER: i32 = 6;
export const TRANSACTIONS: i32 = 7;
export const STATE: i32 = 8;
export const VALUE: i32 = 9;

/** Never returns. */
export function refuse(code: i32, what: string, where: i32, at: i32, expected: u64, found: u64): void {
  hostRefuse(code, what, where, at, expected, found);
  unreachable();
}

/** The block contradicts itself or its id; `where` is a cell, or -1 if none can be named. */
export function contradiction(code: i32, what: string, where: i32, expected: u64, found: u64): void {
  refuse(code, what, where, 0, expected, found);
}

/** As `refuse`, with the addresses of two hashes of 32 bytes. */
export function refuseHash(code: i32, what: string, where: i32, at: i32, expected: usize, found: usize): void {
  hostRefuseHash(code, what, where, at, expected, found);
  unreachable();
}

/** As `contradiction`, with the addresses of two amounts of 16 bytes, the lowest byte first. */
export function refuseAmount(code: i32, what: string, where: i32, expected: usize, found: usize): void {
  hostRefuseAmount(code, what, where, expected, found);
  unreachable();
}

/** Two hashes of 32 bytes are the same, or the block is refused. */
export function expectHash(code: i32, what: string, expected: usize, found: usize): void {
  if (!sameHash(expected, found)) refuseHash(code, what, -1, 0, expected, found);
}

@inline
export function sameHash(a: usize, b: usize): bool {
  return !v128.any_true(
    v128.or(v128.xor(v128.load(a), v128.load(b)), v128.xor(v128.load(a, 16), v128.load(b, 16))),
  );
}

@inline
export function copyHash(from: usize, to: usize): void {
  v128.store(to, v128.load(from));
  v128.store(to, v128.load(from, 16), 16);
}
