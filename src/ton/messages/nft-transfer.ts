import type { CellSlice } from '../boc/cell-slice.ts';
import type { CellBuilder } from '../cell/cell-builder.ts';
import { type AccountAddress, storeAddress } from '../store/store-address.ts';
import { loadMsgAddress, type MsgAddress } from '../tlb/msg-address.ts';
import type { Part } from '../tlb/part.ts';
import { loadPayload, type StoredPayload, storePayload } from './payload.ts';

export const NFT_TRANSFER_OP = 0x5fcc3d14;

/** Request to an NFT item to change its owner (TEP-62). */
export interface NftTransfer {
  readonly queryId: bigint;
  readonly newOwner: MsgAddress;
  readonly responseDestination: MsgAddress;
  /** Cell index; -1 for none. */
  readonly customPayload: number;
  /** Nanotons that the new owner gets with the notification. */
  readonly forwardAmount: bigint;
  /** null: the body ends before the payload. */
  readonly forwardPayload: Part | null;
}

/** Fields of a transfer to store. */
export interface NewNftTransfer {
  readonly queryId: bigint;
  readonly newOwner: AccountAddress;
  readonly responseDestination: AccountAddress;
  readonly forwardAmount: bigint;
  readonly forwardPayload: StoredPayload;
}

// transfer#5fcc3d14 query_id:uint64 new_owner:MsgAddress response_destination:MsgAddress
//   custom_payload:(Maybe ^Cell) forward_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell)
//   = InternalMsgBody;

/** Loads the body after its op. @throws CellError */
export function loadNftTransfer(slice: CellSlice): NftTransfer {
  return {
    queryId: slice.u64(),
    newOwner: loadMsgAddress(slice),
    responseDestination: loadMsgAddress(slice),
    customPayload: slice.maybeRef(),
    forwardAmount: slice.coins(),
    forwardPayload: loadPayload(slice),
  };
}

/** Stores the op and the body, without a custom payload. */
export function storeNftTransfer(builder: CellBuilder, transfer: NewNftTransfer): void {
  builder.uint(NFT_TRANSFER_OP, 32).u64(transfer.queryId);
  builder.with(storeAddress, transfer.newOwner).with(storeAddress, transfer.responseDestination);
  builder.maybeRef(null).coins(transfer.forwardAmount).with(storePayload, transfer.forwardPayload);
}
