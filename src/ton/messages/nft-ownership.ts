import type { CellSlice } from '../boc/cell-slice.ts';
import { loadMsgAddress, type MsgAddress } from '../tlb/msg-address.ts';
import type { Part } from '../tlb/part.ts';
import { loadPayload } from './payload.ts';

export const OWNERSHIP_ASSIGNED_OP = 0x05138d91;

/** Notice of an NFT item to its new owner (TEP-62). */
export interface OwnershipAssigned {
  readonly queryId: bigint;
  readonly previousOwner: MsgAddress;
  /** null: the body ends before the payload. */
  readonly forwardPayload: Part | null;
}

// ownership_assigned#05138d91 query_id:uint64 prev_owner:MsgAddress
//   forward_payload:(Either Cell ^Cell) = InternalMsgBody;

/** Loads the body after its op. @throws CellError */
export function loadOwnershipAssigned(slice: CellSlice): OwnershipAssigned {
  return { queryId: slice.u64(), previousOwner: loadMsgAddress(slice), forwardPayload: loadPayload(slice) };
}
