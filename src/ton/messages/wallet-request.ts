import { CellSlice } from '../boc/cell-slice.ts';
import type { Cell } from '../cell/cell.ts';
import { CellBuilder } from '../cell/cell-builder.ts';
import { loadOutList, type OutMessage, outList } from './out-list.ts';

/** Generations of wallets with the same layout of requests. */
export type WalletGeneration = 3 | 4 | 5;

/** Messages that a wallet's owner orders. */
export interface WalletRequest {
  readonly walletId: number;
  /** Unix seconds after which the wallet refuses it. */
  readonly validUntil: number;
  readonly seqno: number;
  readonly messages: readonly OutMessage[];
}

/** Bits of signature, wallet id, time and seqno, and of the op of v4. */
const HEAD_BITS = 512 + 32 + 32 + 32;
const V4_OP_BITS = 8;
/** Bits of op, wallet id, time and seqno of v5. */
const V5_HEAD_BITS = 4 * 32;
const V5_SIGNED = 0x7369676e;
/** A wallet refuses a longer list. */
const MAX_MESSAGES = 255;

// v3: signature:bits512 subwallet_id:uint32 valid_until:uint32 msg_seqno:uint32 {mode:uint8 ^MessageRelaxed}
// v4: signature:bits512 subwallet_id:uint32 valid_until:uint32 msg_seqno:uint32 op:uint8 {mode:uint8 ^MessageRelaxed}
// v5: signed#7369676e wallet_id:uint32 valid_until:uint32 msg_seqno:uint32 out_actions:(Maybe ^OutList)
//   other_actions:Bool signature:bits512

/** Loads the ordered messages as cell indexes, by generation. What follows them is ignored. @throws CellError */
export const loadOrderedMessages: Readonly<Record<WalletGeneration, (slice: CellSlice) => number[]>> = {
  3: (slice) => loadReferences(slice, HEAD_BITS),
  4: (slice) => loadReferences(slice, HEAD_BITS + V4_OP_BITS),
  5: (slice) => {
    slice.skipBits(V5_HEAD_BITS);
    const list = slice.maybeRef();
    return list < 0 ? [] : loadOutList(new CellSlice(slice.boc, list), MAX_MESSAGES);
  },
};

function loadReferences(slice: CellSlice, head: number): number[] {
  slice.skipBits(head);
  return Array.from({ length: slice.refsLeft }, () => slice.ref());
}

/** A request without its signature: up to four messages (v3, v4), up to 255 (v5). @throws CellOverflowError */
export function unsignedRequest(generation: WalletGeneration, request: WalletRequest): Cell {
  const builder = new CellBuilder();
  if (generation === 5) builder.uint(V5_SIGNED, 32);
  builder
    .int(request.walletId | 0, 32)
    .uint(request.validUntil, 32)
    .uint(request.seqno, 32);
  if (generation === 5) return builder.maybeRef(outList(request.messages)).bit(false).cell();
  if (generation === 4) builder.uint(0, V4_OP_BITS);
  for (const { mode, message } of request.messages) builder.uint(mode, 8).ref(message);
  return builder.cell();
}

/** A request with its signature of 64 bytes: v3 and v4 begin with it, v5 ends with it. @throws CellOverflowError */
export function signedRequest(generation: WalletGeneration, unsigned: Cell, signature: Uint8Array): Cell {
  const builder = new CellBuilder();
  if (generation === 5) return builder.append(unsigned).bytes(signature).cell();
  return builder.bytes(signature).append(unsigned).cell();
}
