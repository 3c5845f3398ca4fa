import { onlyRoot, parseBoc } from '../../boc/boc.ts';
import { CellError } from '../../boc/cell-error.ts';
import { CellSlice } from '../../boc/cell-slice.ts';
import { serializeCell } from '../../boc/serialize.ts';
import { toBase64 } from '../../hash/base64.ts';
import { rawText } from '../custody/custody-state.ts';
import { readDictionary } from '../read-accounts.ts';
import { hexName } from './validator-set.ts';

/** Who takes part in an election. Keys 64 upper-case hex digits, the account raw. */
export interface ElectionMember {
  readonly publicKey: string;
  readonly stake: bigint;
  /** 65536 = 1.0. */
  readonly maxFactor: number;
  readonly account: string;
  readonly adnl: string;
}

/** The election that is open, or was closed last. */
export interface Election {
  readonly id: number;
  readonly close: number;
  readonly minStake: bigint;
  readonly totalStake: bigint;
  readonly failed: boolean;
  readonly finished: boolean;
  readonly members: readonly ElectionMember[];
}

/** The stake of an elected validator. */
export interface FrozenStake {
  readonly publicKey: string;
  readonly account: string;
  readonly weight: bigint;
  readonly stake: bigint;
}

/** A complaint about a validator of a round. Hashes base64. */
export interface Complaint {
  readonly hash: string;
  readonly publicKey: string;
  /** A bag, base64; empty for none. */
  readonly description: string;
  readonly createdAt: number;
  readonly severity: number;
  readonly rewardAccount: string;
  readonly paid: bigint;
  readonly suggestedFine: bigint;
  /** Part of the stake, out of 2^32. */
  readonly suggestedFinePart: number;
  /** Indexes in the voting set. */
  readonly voters: readonly number[];
  /** Hash of the voting set, zeros before the first vote. */
  readonly votingSet: string;
  readonly weightRemaining: bigint;
}

/** A round whose stakes are not released yet. */
export interface PastElection {
  readonly id: number;
  readonly unfreezeAt: number;
  /** Hash of the set that was elected, base64. */
  readonly setHash: string;
  readonly frozen: readonly FrozenStake[];
  readonly totalStake: bigint;
  readonly bonuses: bigint;
  readonly complaints: readonly Complaint[];
}

/** State of the elector (v3-more.md 5.1). */
export interface ElectorState {
  readonly election: Election | null;
  /** By election id. */
  readonly past: readonly PastElection[];
}

const COMPLAINT_STATUS = 0x2d;
const COMPLAINT = 0xbc;

const inMasterchain = (address: Uint8Array): string => rawText({ workchain: -1, address });

/**
 * Reads the bag of the elector's data.
 *
 *     _ elect:(Maybe ^Election) credits:(HashmapE 256 Coins) past_elections:(HashmapE 32 PastElection) grams:Coins
 *       active_id:uint32 active_hash:bits256 = ElectorData;
 *
 * @returns null if the data has another form
 * @throws BocError
 */
export function readElectorState(bag: Uint8Array): ElectorState | null {
  try {
    const boc = parseBoc(bag);
    const slice = new CellSlice(boc, onlyRoot(boc));
    const electionCell = slice.maybeRef();
    const election = electionCell < 0 ? null : readElection(new CellSlice(boc, electionCell));
    slice.maybeRef();
    const past: PastElection[] = [];
    readDictionary(boc, slice.maybeRef(), 32, (key, value) => past.push(readPast(key, value)));
    slice.coins();
    slice.skipBits(32 + 256);
    return { election, past };
  } catch (error) {
    if (error instanceof CellError) return null;
    throw error;
  }
}

// _ elect_at:uint32 elect_close:uint32 min_stake:Coins total_stake:Coins members:(HashmapE 256 Member) failed:Bool
//   finished:Bool = Election;
// _ stake:Coins time:uint32 max_factor:uint32 account:bits256 adnl:bits256 = Member;
function readElection(slice: CellSlice): Election {
  const [id, close] = [slice.uint(32), slice.uint(32)];
  const [minStake, totalStake] = [slice.coins(), slice.coins()];
  const members: ElectionMember[] = [];
  readDictionary(slice.boc, slice.maybeRef(), 256, (key, value) => {
    const stake = value.coins();
    value.skipBits(32);
    members.push({
      publicKey: hexName(key),
      stake,
      maxFactor: value.uint(32),
      account: inMasterchain(value.bytes(32)),
      adnl: hexName(value.bytes(32)),
    });
  });
  return { id, close, minStake, totalStake, failed: slice.bit(), finished: slice.bit(), members };
}

// _ unfreeze_at:uint32 stake_held:uint32 set_hash:bits256 frozen:(HashmapE 256 Frozen) total_stake:Coins bonuses:Coins
//   complaints:(HashmapE 256 ComplaintStatus) = PastElection;
// _ account:bits256 weight:uint64 stake:Coins banned:Bool = Frozen;
function readPast(key: Uint8Array, slice: CellSlice): PastElection {
  const id = new DataView(key.buffer, key.byteOffset).getUint32(0);
  const unfreezeAt = slice.uint(32);
  slice.skipBits(32);
  const setHash = toBase64(slice.bytes(32));
  const frozen: FrozenStake[] = [];
  readDictionary(slice.boc, slice.maybeRef(), 256, (publicKey, value) =>
    frozen.push({
      publicKey: hexName(publicKey),
      account: inMasterchain(value.bytes(32)),
      weight: value.u64(),
      stake: value.coins(),
    }),
  );
  const [totalStake, bonuses] = [slice.coins(), slice.coins()];
  const complaints: Complaint[] = [];
  readDictionary(slice.boc, slice.maybeRef(), 256, (hash, value) =>
    complaints.push(readComplaint(toBase64(hash), value)),
  );
  return { id, unfreezeAt, setHash, frozen, totalStake, bonuses, complaints };
}

// complaint_status#2d complaint:^Complaint voters:(HashmapE 16 uint32) set_id:bits256 weight_remaining:int64
//   = ComplaintStatus;
// complaint#bc public_key:bits256 description:^Cell created_at:uint32 severity:uint8 reward_account:bits256 paid:Coins
//   suggested_fine:Coins suggested_fine_part:uint32 = Complaint;
function readComplaint(hash: string, status: CellSlice): Complaint {
  expectTag(status, COMPLAINT_STATUS, 'ComplaintStatus');
  const { boc } = status;
  const slice = new CellSlice(boc, status.ref());
  expectTag(slice, COMPLAINT, 'Complaint');
  const voters: number[] = [];
  readDictionary(boc, status.maybeRef(), 16, (key) =>
    voters.push(((key[0] as number) << 8) | (key[1] as number)),
  );
  return {
    hash,
    publicKey: hexName(slice.bytes(32)),
    description: slice.refsLeft > 0 ? toBase64(serializeCell(boc, slice.ref())) : '',
    createdAt: slice.uint(32),
    severity: slice.uint(8),
    rewardAccount: inMasterchain(slice.bytes(32)),
    paid: slice.coins(),
    suggestedFine: slice.coins(),
    suggestedFinePart: slice.uint(32),
    voters,
    votingSet: toBase64(status.bytes(32)),
    weightRemaining: status.bigInt(64),
  };
}

function expectTag(slice: CellSlice, tag: number, what: string): void {
  const { cell, bitPosition: bit } = slice;
  const found = slice.uint(8);
  if (found !== tag)
    throw new CellError('value', { cell, bit, what, expected: `#${tag.toString(16)}`, found });
}
