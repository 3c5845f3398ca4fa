import { onlyRoot, parseBoc } from '../../boc/boc.ts';
import { CellHashes } from '../../boc/cell-hashes.ts';
import { CellSlice } from '../../boc/cell-slice.ts';
import { toBase64 } from '../../hash/base64.ts';
import { toHex } from '../../hash/hex.ts';
import { loadValidatorSet } from '../../tlb/validator-set.ts';
import { loadWholeCell } from '../../tlb/whole-cell.ts';

/** A validator in its set. Keys are 64 upper-case hex digits. */
export interface SetMember {
  readonly index: number;
  readonly publicKey: string;
  readonly weight: bigint;
  /** null if the set does not contain it. */
  readonly adnl: string | null;
}

/** A validator set (configuration parameters 32, 34 and 36); times in Unix seconds. */
export interface ValidatorSet {
  /** Hash of the parameter's cell, base64. */
  readonly hash: string;
  readonly since: number;
  readonly until: number;
  readonly total: number;
  readonly main: number;
  readonly totalWeight: bigint;
  /** By index. */
  readonly members: readonly SetMember[];
}

const VALIDATORS_EXT = 0x12;

/** 64 upper-case hex digits. */
export function hexName(bytes: Uint8Array): string {
  return toHex(bytes).toUpperCase();
}

/**
 * Reads the bag of a parameter.
 * @returns null for a set of the older form, which states no total weight
 * @throws CellError, BocError
 */
export function readValidatorSet(bag: Uint8Array): ValidatorSet | null {
  const boc = parseBoc(bag);
  const root = onlyRoot(boc);
  if (new CellSlice(boc, root).peekUint(8) !== VALIDATORS_EXT) return null;
  const { list, ...set } = loadWholeCell(boc, root, 'ValidatorSet', loadValidatorSet);
  const members = list.map(({ publicKey, weight, adnl }, index) => ({
    index,
    publicKey: hexName(publicKey),
    weight,
    adnl: adnl && hexName(adnl),
  }));
  return { hash: toBase64(new CellHashes(boc).hash(root)), ...set, members };
}
