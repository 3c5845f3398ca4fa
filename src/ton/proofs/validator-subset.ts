import { hash } from 'node:crypto';
import { crc32c } from '../hash/crc32c.ts';
import type { CatchainConfig } from '../tlb/catchain-config.ts';
import type { ValidatorDescr, ValidatorSet } from '../tlb/validator-set.ts';

/** Validators that make and sign the masterchain blocks of one catchain seqno. */
export interface ValidatorSubset {
  readonly catchainSeqno: number;
  /** In the order of the group. */
  readonly members: readonly ValidatorDescr[];
  readonly totalWeight: bigint;
  /** `gen_validator_list_hash_short` of their blocks, unsigned. */
  readonly listHash: number;
}

/**
 * Selects the validators of the masterchain: the first `main` ones of the set, shuffled if parameter 28 says so.
 * The rule is `Config::do_compute_validator_set` of the reference node (crypto/block/mc-config.cpp).
 */
export function masterchainSubset(
  set: ValidatorSet,
  catchain: CatchainConfig,
  catchainSeqno: number,
): ValidatorSubset {
  const first = set.list.slice(0, set.main);
  const members = catchain.shuffleMasterchain ? shuffle(first, catchainSeqno) : first;
  return {
    catchainSeqno,
    members,
    totalWeight: members.reduce((sum, { weight }) => sum + weight, 0n),
    listHash: validatorListHash(members, catchainSeqno),
  };
}

function shuffle(list: readonly ValidatorDescr[], catchainSeqno: number): ValidatorDescr[] {
  const next = randomWords(catchainSeqno);
  const order: number[] = [];
  for (let i = 0; i < list.length; i++) {
    const j = Number((next() * BigInt(i + 1)) >> 64n);
    order[i] = order[j] ?? i;
    order[j] = i;
  }
  return order.map((index) => list[index]!);
}

const SEED = 32;
const WORDS = 8;

/**
 * Random 64-bit words for the masterchain and a catchain seqno. Each eight are the SHA-512 of a counter (256 bits from
 * 0), shard, workchain and seqno, all big-endian (`ValidatorSetPRNG` of the reference node).
 */
function randomWords(catchainSeqno: number): () => bigint {
  const input = new Uint8Array(SEED + 8 + 4 + 4);
  const view = new DataView(input.buffer);
  view.setBigUint64(SEED, 1n << 63n);
  view.setInt32(SEED + 8, -1);
  view.setUint32(SEED + 12, catchainSeqno);
  let words = new DataView(new ArrayBuffer(0));
  let used = WORDS;
  let count = 0;
  return () => {
    if (used === WORDS) {
      view.setUint32(SEED - 4, count++);
      const digest = hash('sha512', input, 'buffer');
      words = new DataView(digest.buffer, digest.byteOffset, digest.length);
      used = 0;
    }
    return words.getBigUint64(8 * used++);
  };
}

/** TL id of `test0.validatorSet`, whose form the reference node hashes (`compute_validator_set_hash`). */
const LIST_MAGIC = -1877581587;
const ITEM = 32 + 8 + 32;

/** CRC-32C over magic, catchain seqno, count, and key, weight and ADNL address of each validator; little-endian. */
export function validatorListHash(members: readonly ValidatorDescr[], catchainSeqno: number): number {
  const bytes = new Uint8Array(12 + members.length * ITEM);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, LIST_MAGIC, true);
  view.setUint32(4, catchainSeqno, true);
  view.setUint32(8, members.length, true);
  members.forEach(({ publicKey, weight, adnl }, index) => {
    const at = 12 + index * ITEM;
    bytes.set(publicKey, at);
    view.setBigUint64(at + 32, weight, true);
    if (adnl) bytes.set(adnl, at + 40);
  });
  return crc32c(bytes);
}
