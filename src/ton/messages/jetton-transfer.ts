import type { CellSlice } from '../boc/cell-slice.ts';
import type { CellBuilder } from '../cell/cell-builder.ts';
import { type AccountAddress, storeAddress } from '../store/store-address.ts';
import { loadMsgAddress, type MsgAddress } from '../tlb/msg-address.ts';
import type { Part } from '../tlb/part.ts';
import type { JettonHead } from './jetton-head.ts';
import { loadPayload, type StoredPayload, storePayload } from './payload.ts';

export const JETTON_TRANSFER_OP = 0x0f8a7ea5;

/** Request to a jetton wallet to send jettons to another owner (TEP-74). */
export interface JettonTransfer extends JettonHead {
  readonly destination: MsgAddress;
  readonly responseDestination: MsgAddress;
  /** Cell index; -1 for none. */
  readonly customPayload: number;
  /** Nanotons that the receiver gets with the notification. */
  readonly forwardAmount: bigint;
  /** null: the body ends before the payload. */
  readonly forwardPayload: Part | null;
}

/** Fields of a transfer to store. */
export interface NewJettonTransfer extends JettonHead {
  readonly destination: AccountAddress;
  readonly responseDestination: AccountAddress;
  readonly forwardAmount: bigint;
  readonly forwardPayload: StoredPayload;
}

// transfer#0f8a7ea5 query_id:uint64 amount:(VarUInteger 16) destination:MsgAddress
//   response_destination:MsgAddress custom_payload:(Maybe ^Cell) forward_ton_amount:(VarUInteger 16)
//   forward_payload:(Either Cell ^Cell) = InternalMsgBody;

/** Loads the body after its op. @throws CellError */
export function loadJettonTransfer(slice: CellSlice): JettonTransfer {
  return {
    queryId: slice.u64(),
    amount: slice.coins(),
    destination: loadMsgAddress(slice),
    responseDestination: loadMsgAddress(slice),
    customPayload: slice.maybeRef(),
    forwardAmount: slice.coins(),
    forwardPayload: loadPayload(slice),
  };
}

/** Stores the op and the body, without a custom payload. */
export function storeJettonTransfer(builder: CellBuilder, transfer: NewJettonTransfer): void {
  builder.uint(JETTON_TRANSFER_OP, 32).u64(transfer.queryId).coins(transfer.amount);
  builder.with(storeAddress, transfer.destination).with(storeAddress, transfer.responseDestination);
  builder.maybeRef(null).coins(transfer.forwardAmount).with(storePayload, transfer.forwardPayload);
}
