import type { CellSlice } from '../boc/cell-slice.ts';

/** Ops between the elector and the accounts that stake (ton-blockchain/ton, elector-code.fc). */
export const ELECTOR_OP = {
  newStake: 0x4e73744b,
  stakeAccepted: 0xf374484c,
  stakeRefused: 0xee6f454c,
  recover: 0x47657424,
  recovered: 0xf96f7324,
  recoverFailed: 0xfffffffe,
} as const;

/** A stake for an election. Keys are 32 bytes. */
export interface NewStake {
  readonly publicKey: Uint8Array;
  /** Unix time of the election, which is its number. */
  readonly stakeAt: number;
  readonly adnl: Uint8Array;
}

/**
 * Loads the body after its query id, up to the signature.
 *
 *     new_stake#4e73744b query_id:uint64 validator_pubkey:bits256 stake_at:uint32 max_factor:uint32
 *       adnl_addr:bits256 signature:^bits512 = InternalMsgBody;
 *
 * @throws CellError
 */
export function loadNewStake(slice: CellSlice): NewStake {
  const [publicKey, stakeAt] = [slice.bytes(32), slice.uint(32)];
  slice.skipBits(32);
  return { publicKey, stakeAt, adnl: slice.bytes(32) };
}
