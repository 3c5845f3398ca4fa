import type { CellSlice } from '../boc/cell-slice.ts';
import { loadMsgAddress, type MsgAddress } from '../tlb/msg-address.ts';

/** Op of the payload, and of the router's message to a pool. */
export const STONFI_SWAP_OP = 0x25938561;

/** The swap that a jetton transfer to the router of STON.fi v1 asks for. */
export interface StonfiSwap {
  /** Wallet of the router for the wanted token. */
  readonly tokenWallet: MsgAddress;
  readonly minOut: bigint;
  readonly receiver: MsgAddress;
}

/**
 * Loads the payload after its op, up to the referral.
 *
 *     swap#25938561 token_wallet:MsgAddress min_out:(VarUInteger 16) to_address:MsgAddress
 *       referral_address:(Maybe MsgAddress) = ForwardPayload;
 *
 * @throws CellError
 */
export function loadStonfiSwap(slice: CellSlice): StonfiSwap {
  return {
    tokenWallet: loadMsgAddress(slice),
    minOut: slice.coins(),
    receiver: loadMsgAddress(slice),
  };
}
