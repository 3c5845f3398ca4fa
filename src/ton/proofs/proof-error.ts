import { BocError } from '../boc/boc-error.ts';
import { CellError } from '../boc/cell-error.ts';
import { toHex } from '../hash/hex.ts';

/** The bytes do not prove what was asked for: a wrong hash, another block, a pruned cell, or no bag of cells at all. */
export class ProofError extends Error {
  override readonly name = 'ProofError';
  /** What was to be proven: `block header`, `account` … */
  readonly what: string;
  readonly expected: string;
  readonly found: string;

  constructor(what: string, expected: string | Uint8Array, found: string | Uint8Array, cause?: unknown) {
    const [wanted, got] = [toText(expected), toText(found)];
    super(`proof of ${what}: expected ${wanted}, found ${got}`, { cause });
    this.what = what;
    this.expected = wanted;
    this.found = got;
  }
}

function toText(value: string | Uint8Array): string {
  return typeof value === 'string' ? value : toHex(value);
}

/**
 * Runs a check. A malformed bag, and a cell that is pruned or differs from its type, become a ProofError.
 * @throws ProofError
 */
export function proving<T>(what: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof BocError || error instanceof CellError)
      throw new ProofError(what, 'cells that can be read', error.message, error);
    throw error;
  }
}

/** @throws ProofError the hashes differ */
export function expectHash(what: string, expected: Uint8Array, found: Uint8Array): void {
  if (!Buffer.from(expected).equals(found)) throw new ProofError(what, expected, found);
}
