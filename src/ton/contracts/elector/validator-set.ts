import { onlyRoot, parseBoc } from '../../boc/boc.ts';
import { CellError } from '../../boc/cell-error.ts';
import { CellHashes } from '../../boc/cell-hashes.ts';
import { CellSlice } from '../../boc/cell-slice.ts';
import { toBase64 } from '../../hash/base64.ts';
import { toHex } from '../../hash/hex.ts';
import { readDictionary } from '../read-accounts.ts';

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
const KEY = 0x8e81278a;

/** 64 upper-case hex digits. */
export function hexName(bytes: Uint8Array): string {
  return toHex(bytes).toUpperCase();
}

/**
 * Reads the bag of a parameter.
 *
 *     validators_ext#12 utime_since:uint32 utime_until:uint32 total:uint16 main:uint16 total_weight:uint64
 *       list:(HashmapE 16 ValidatorDescr) = ValidatorSet;
 *     validator#53 public_key:SigPubKey weight:uint64 = ValidatorDescr;
 *     validator_addr#73 public_key:SigPubKey weight:uint64 adnl_addr:bits256 = ValidatorDescr;
 *     ed25519_pubkey#8e81278a pubkey:bits256 = SigPubKey;
 *
 * @returns null for a set of the older form, which has no total weight
 * @throws CellError, BocError
 */
export function readValidatorSet(bag: Uint8Array): ValidatorSet | null {
  const boc = parseBoc(bag);
  const root = onlyRoot(boc);
  const slice = new CellSlice(boc, root);
  if (slice.uint(8) !== VALIDATORS_EXT) return null;
  const [since, until, total, main] = [slice.uint(32), slice.uint(32), slice.uint(16), slice.uint(16)];
  const totalWeight = slice.u64();
  const members: SetMember[] = [];
  readDictionary(boc, slice.maybeRef(), 16, (key, value) =>
    members.push(readMember(((key[0] as number) << 8) | (key[1] as number), value)),
  );
  const hash = toBase64(new CellHashes(boc).hash(root));
  return { hash, since, until, total, main, totalWeight, members };
}

function readMember(index: number, value: CellSlice): SetMember {
  const { cell, bitPosition: bit } = value;
  const tag = value.uint(8);
  const key = value.uint(32);
  if ((tag !== 0x53 && tag !== 0x73) || key !== KEY)
    throw new CellError('value', { cell, bit, what: 'ValidatorDescr', expected: '#53 or #73', found: tag });
  const publicKey = hexName(value.bytes(32));
  const weight = value.u64();
  return { index, publicKey, weight, adnl: tag === 0x73 ? hexName(value.bytes(32)) : null };
}
