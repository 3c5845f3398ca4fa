import type { CellSlice } from '../boc/cell-slice.ts';
import type { CellBuilder } from '../cell/cell-builder.ts';
import { type AccountAddress, storeAddress } from '../store/store-address.ts';
import { loadMsgAddress, type MsgAddress } from '../tlb/msg-address.ts';
import type { JettonHead } from './jetton-head.ts';

export const JETTON_BURN_OP = 0x595f07bc;
/** Op of the notice that the wallet then sends to the master. */
export const BURN_NOTIFICATION_OP = 0x7bdd97de;

/** Request to a jetton wallet to destroy jettons (TEP-74). */
export interface JettonBurn extends JettonHead {
  readonly responseDestination: MsgAddress;
}

/** Fields of a burn to store. */
export interface NewJettonBurn extends JettonHead {
  readonly responseDestination: AccountAddress;
}

// burn#595f07bc query_id:uint64 amount:(VarUInteger 16) response_destination:MsgAddress
//   custom_payload:(Maybe ^Cell) = InternalMsgBody;

/**
 * Loads the body after its op, up to the custom payload (`loadBurnPayload`).
 * @throws CellError
 */
export function loadJettonBurn(slice: CellSlice): JettonBurn {
  return { queryId: slice.u64(), amount: slice.coins(), responseDestination: loadMsgAddress(slice) };
}

/**
 * Loads the custom payload as a cell index, -1 for none. Many senders leave the field out.
 * @throws CellError
 */
export function loadBurnPayload(slice: CellSlice): number {
  return slice.bitsLeft === 0 ? -1 : slice.maybeRef();
}

/** Stores the op and the body, without a custom payload. */
export function storeJettonBurn(builder: CellBuilder, burn: NewJettonBurn): void {
  builder.uint(JETTON_BURN_OP, 32).u64(burn.queryId).coins(burn.amount);
  builder.with(storeAddress, burn.responseDestination).maybeRef(null);
}
