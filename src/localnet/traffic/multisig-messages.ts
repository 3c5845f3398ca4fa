import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder, cellWith } from '../../ton/cell/cell-builder.ts';
import { NO_EXTRA, Trie } from '../../ton/cell/trie.ts';
import { storeMessageRelaxed } from '../../ton/messages/message-relaxed.ts';
import { commentBody } from '../../ton/messages/text-comment.ts';
import { type AccountAddress, storeAddress } from '../../ton/store/store-address.ts';
import { stateInitHash } from '../../ton/store/store-state-init.ts';

/** A signer's proposal to a multisig. */
export interface NewOrder {
  readonly queryId: bigint;
  readonly seqno: bigint;
  /** Index of the signer, who approves with it. */
  readonly signer: number;
  /** Unix time. */
  readonly expiresAt: number;
  /** The payment that it orders: nanotons. */
  readonly to: AccountAddress;
  readonly value: bigint;
}

// new_order#f718510f query_id:uint64 order_seqno:uint256 signer:Bool index:uint8 expiration:uint48 order:^Order
//   = InternalMsgBody;

/** Body of the message that creates an order of one payment (multisig v2). */
export function newOrderBody({ queryId, seqno, signer, expiresAt, to, value }: NewOrder): Cell {
  const body = new CellBuilder().uint(0xf718510f, 32).u64(queryId).bigUint(seqno, 256).bit(true);
  return body.uint(signer, 8).bigUint(BigInt(expiresAt), 48).ref(orderCell(to, value)).cell();
}

// send_message#f1381e5b mode:uint8 message:^MessageRelaxed = Action; order$_ actions:(Hashmap 8 ^Action) = Order;
function orderCell(to: AccountAddress, value: bigint): Cell {
  const payment = { to, value, bounce: false, body: commentBody('as ordered'), init: null };
  const action = new CellBuilder().uint(0xf1381e5b, 32).uint(1, 8);
  const actions = Trie.empty<Cell>({
    keyBits: 8,
    store: (builder, cell) => builder.ref(cell),
    extra: NO_EXTRA,
  });
  const order = actions.set(new Uint8Array(1), action.ref(cellWith(storeMessageRelaxed, payment)).cell());
  return order.root()!;
}

// approve#a762230f query_id:uint64 signer_index:uint8 = InternalMsgBody;

/** Body of the message by which a signer approves an order. */
export function approvalBody(queryId: bigint, signer: number): Cell {
  return new CellBuilder().uint(0xa762230f, 32).u64(queryId).uint(signer, 8).cell();
}

/** Address of an order, by its state before the multisig's message (multisig-common.tolk). `code`: of orders. */
export function orderAddress(code: Cell, multisig: AccountAddress, seqno: bigint): AccountAddress {
  const data = new CellBuilder().with(storeAddress, multisig).bigUint(seqno, 256).cell();
  return { workchain: 0, address: stateInitHash(code, data) };
}
