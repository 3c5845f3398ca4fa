import type { CellSlice } from '../boc/cell-slice.ts';
import { loadMsgAddress, type MsgAddress } from '../tlb/msg-address.ts';
import type { JettonHead } from './jetton-head.ts';

export const JETTON_NOTIFICATION_OP = 0x7362d09c;

/** Notice of a wallet to its owner that jettons arrived (TEP-74). */
export interface JettonNotification extends JettonHead {
  /** Owner of the sending wallet. */
  readonly sender: MsgAddress;
}

/**
 * Loads the body after its op, up to the payload (`loadPayload`).
 *
 *     transfer_notification#7362d09c query_id:uint64 amount:(VarUInteger 16) sender:MsgAddress
 *       forward_payload:(Either Cell ^Cell) = InternalMsgBody;
 *
 * @throws CellError
 */
export function loadJettonNotification(slice: CellSlice): JettonNotification {
  return { queryId: slice.u64(), amount: slice.coins(), sender: loadMsgAddress(slice) };
}
