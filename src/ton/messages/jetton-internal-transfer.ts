import type { CellSlice } from '../boc/cell-slice.ts';
import type { CellBuilder } from '../cell/cell-builder.ts';
import { type AccountAddress, storeAddress } from '../store/store-address.ts';
import { loadMsgAddress, type MsgAddress } from '../tlb/msg-address.ts';
import type { JettonHead } from './jetton-head.ts';

export const INTERNAL_TRANSFER_OP = 0x178d4519;

/** Jettons on their way from one wallet, or the master, to another wallet (TEP-74). */
export interface InternalTransfer extends JettonHead {
  /** Owner of the sending wallet. */
  readonly from: MsgAddress;
  readonly responseAddress: MsgAddress;
  /** Nanotons that the receiver gets with the notification. */
  readonly forwardAmount: bigint;
}

/**
 * Loads the body after its op, up to the payload. A wallet credits the amount whatever the payload is.
 *
 *     internal_transfer#178d4519 query_id:uint64 amount:(VarUInteger 16) from:MsgAddress
 *       response_address:MsgAddress forward_ton_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell)
 *       = InternalMsgBody;
 *
 * @throws CellError
 */
export function loadInternalTransfer(slice: CellSlice): InternalTransfer {
  return {
    queryId: slice.u64(),
    amount: slice.coins(),
    from: loadMsgAddress(slice),
    responseAddress: loadMsgAddress(slice),
    forwardAmount: slice.coins(),
  };
}

/** Minted jettons to store. */
export interface NewMintedJettons extends JettonHead {
  readonly responseAddress: AccountAddress;
}

/** Stores the op and the body for minted jettons: without a sender, and nothing is forwarded. */
export function storeMintedJettons(builder: CellBuilder, minted: NewMintedJettons): void {
  builder.uint(INTERNAL_TRANSFER_OP, 32).u64(minted.queryId).coins(minted.amount).uint(0b00, 2);
  builder.with(storeAddress, minted.responseAddress).coins(0n).bit(false);
}
