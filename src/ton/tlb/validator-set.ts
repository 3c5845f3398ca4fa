import type { CellSlice } from '../boc/cell-slice.ts';
import { walkLeaves } from '../boc/hashmap.ts';
import { forEachInlineLeaf } from './inline-hashmap.ts';
import { badValue, expectTag, unknownTag } from './tag.ts';

/** A validator of a set or subset. */
export interface ValidatorDescr {
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly weight: bigint;
  /** 32 bytes; null in the older form, which has none. */
  readonly adnl: Uint8Array | null;
}

/** A validator set: configuration parameters 32 to 37. Times are Unix seconds. */
export interface ValidatorSet {
  readonly since: number;
  readonly until: number;
  readonly total: number;
  /** Number of validators of the masterchain: the first ones of the list. */
  readonly main: number;
  readonly totalWeight: bigint;
  /** By index. */
  readonly list: readonly ValidatorDescr[];
}

const VALIDATORS = 0x11;
const VALIDATORS_EXT = 0x12;
const KEY = 0x8e81278a;
/** Indexes have 16 bits, so that a set has fewer leaves and forks than this. */
const MAX_EDGES = 1 << 17;

// validators#11 utime_since:uint32 utime_until:uint32 total:(## 16) main:(## 16) { main <= total } { main >= 1 }
//   list:(Hashmap 16 ValidatorDescr) = ValidatorSet;
// validators_ext#12 utime_since:uint32 utime_until:uint32 total:(## 16) main:(## 16) { main <= total } { main >= 1 }
//   total_weight:uint64 list:(HashmapE 16 ValidatorDescr) = ValidatorSet;
/** Reads a whole set, as the only thing in its cell. @throws CellError also for a weight or index that is not right */
export function loadValidatorSet(slice: CellSlice): ValidatorSet {
  const tag = slice.uint(8);
  if (tag !== VALIDATORS && tag !== VALIDATORS_EXT) throw unknownTag(slice, 'ValidatorSet', tag);
  const [since, until, total, main] = [slice.uint(32), slice.uint(32), slice.uint(16), slice.uint(16)];
  if (main < 1 || main > total) throw badValue(slice, 'ValidatorSet main', `1 to ${total}`, main);
  const stated = tag === VALIDATORS_EXT ? slice.u64() : null;
  const list = tag === VALIDATORS_EXT ? loadRoot(slice, slice.maybeRef()) : loadInline(slice);
  if (list.length !== total) throw badValue(slice, 'ValidatorSet total', total, list.length);
  const totalWeight = list.reduce((sum, { weight }) => sum + weight, 0n);
  if (stated !== null && stated !== totalWeight)
    throw badValue(slice, 'ValidatorSet total_weight', totalWeight, stated);
  return { since, until, total, main, totalWeight, list };
}

function loadRoot(slice: CellSlice, root: number): ValidatorDescr[] {
  const list: ValidatorDescr[] = [];
  if (root < 0) return list;
  walkLeaves(slice.boc, root, { keyBits: 16, forkExtra: 'refuse', maxEdges: MAX_EDGES }, takeInto(list));
  return list;
}

function loadInline(slice: CellSlice): ValidatorDescr[] {
  const list: ValidatorDescr[] = [];
  forEachInlineLeaf(slice, 16, takeInto(list));
  return list;
}

/** Indexes are consecutive from 0. */
function takeInto(list: ValidatorDescr[]) {
  return (key: Uint8Array, value: CellSlice): void => {
    const index = (key[0]! << 8) | key[1]!;
    if (index !== list.length) throw badValue(value, 'ValidatorSet index', list.length, index);
    list.push(loadValidatorDescr(value));
    value.end('ValidatorDescr');
  };
}

// validator#53 public_key:SigPubKey weight:uint64 = ValidatorDescr;
// validator_addr#73 public_key:SigPubKey weight:uint64 adnl_addr:bits256 = ValidatorDescr;
// ed25519_pubkey#8e81278a pubkey:bits256 = SigPubKey;
function loadValidatorDescr(slice: CellSlice): ValidatorDescr {
  const tag = slice.uint(8);
  if (tag !== 0x53 && tag !== 0x73) throw unknownTag(slice, 'ValidatorDescr', tag);
  expectTag(slice, 32, KEY, 'SigPubKey');
  const publicKey = slice.bytes(32);
  const weight = slice.u64();
  return { publicKey, weight, adnl: tag === 0x73 ? slice.bytes(32) : null };
}
