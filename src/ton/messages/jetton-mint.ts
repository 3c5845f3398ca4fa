import { CellSlice } from '../boc/cell-slice.ts';
import { type CellBuilder, cellWith } from '../cell/cell-builder.ts';
import { type AccountAddress, storeAddress } from '../store/store-address.ts';
import { loadMsgAddress, type MsgAddress } from '../tlb/msg-address.ts';
import { type JettonHead, loadJettonHead } from './jetton-head.ts';
import { storeMintedJettons } from './jetton-internal-transfer.ts';

/** Op of governed jettons (ton-blockchain/stablecoin-contract), and of the minter of TEP-74's authors. */
export const JETTON_MINT_OP = 0x642b7d07;
export const MINTER_MINT_OP = 0x00000015;

/** Request to a jetton master to mint. */
export interface JettonMint {
  readonly queryId: bigint;
  readonly receiver: MsgAddress;
  /** Nanotons for the new wallet. */
  readonly tonAmount: bigint;
}

// mint#642b7d07 query_id:uint64 to_address:MsgAddress ton_amount:(VarUInteger 16)
//   master_msg:^InternalMsgBody = InternalMsgBody;
// mint#00000015 query_id:uint64 to_address:MsgAddress ton_amount:(VarUInteger 16)
//   master_msg:^InternalMsgBody = InternalMsgBody;

/**
 * Loads the body after its op, up to the internal transfer (`loadMintedJettons`).
 * @throws CellError
 */
export function loadJettonMint(slice: CellSlice): JettonMint {
  return { queryId: slice.u64(), receiver: loadMsgAddress(slice), tonAmount: slice.coins() };
}

/** Loads query id and amount of the internal transfer, which the next reference holds. @throws CellError */
export function loadMintedJettons(slice: CellSlice): JettonHead {
  const message = new CellSlice(slice.boc, slice.ref());
  message.skipBits(32);
  return loadJettonHead(message);
}

/** A mint to store. */
export interface NewJettonMint extends JettonHead {
  readonly receiver: AccountAddress;
  /** Nanotons for the new wallet. */
  readonly tonAmount: bigint;
  /** Gets the excess. */
  readonly responseAddress: AccountAddress;
}

/** Stores the op of TEP-74's authors and the body. */
export function storeJettonMint(builder: CellBuilder, mint: NewJettonMint): void {
  builder.uint(MINTER_MINT_OP, 32).u64(mint.queryId).with(storeAddress, mint.receiver);
  builder.coins(mint.tonAmount).ref(cellWith(storeMintedJettons, mint));
}
