import { Cell, loadTransaction, type Message, type Slice, type Transaction } from '@ton/core';

function skipLabel(slice: Slice, max: number): number {
  const width = 32 - Math.clz32(max);
  if (!slice.loadBit()) {
    let length = 0;
    while (slice.loadBit()) length++;
    slice.skip(length);
    return length;
  }
  const isSame = slice.loadBit();
  if (isSame) slice.skip(1);
  const length = slice.loadUint(width);
  if (!isSame) slice.skip(length);
  return length;
}

function visitLeaves(slice: Slice, keyBits: number, isAug: boolean, visit: (leaf: Slice) => void): void {
  const rest = keyBits - skipLabel(slice, keyBits);
  if (rest > 0) {
    const [left, right] = [slice.loadRef(), slice.loadRef()];
    visitLeaves(left.beginParse(), rest - 1, isAug, visit);
    visitLeaves(right.beginParse(), rest - 1, isAug, visit);
    return;
  }
  if (isAug) {
    slice.loadCoins();
    slice.loadMaybeRef();
  }
  visit(slice);
}

/** A transaction as @ton/core gives it, with the hashes that an index needs. */
export interface CoreTransaction {
  readonly cell: Cell;
  readonly transaction: Transaction;
  readonly messages: { readonly hash: Buffer; readonly bodyHash: Buffer; readonly message: Message }[];
}

/** Work of a program with @ton/core: parses, walks, loads every transaction, takes the hashes. */
export function byCore(bytes: Uint8Array, visit: (transaction: CoreTransaction) => void): void {
  const root = Cell.fromBoc(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))[0] as Cell;
  const accounts = (root.refs[3] as Cell).refs[2] as Cell;
  const edge = accounts.beginParse().loadMaybeRef();
  if (!edge) return;
  visitLeaves(edge.beginParse(), 256, true, (account) => {
    account.skip(4 + 256);
    visitLeaves(account, 64, true, (leaf) => visit(loadByCore(leaf.loadRef())));
  });
}

function loadByCore(cell: Cell): CoreTransaction {
  const transaction = loadTransaction(cell.beginParse());
  cell.hash();
  const refs = (cell.refs[0] as Cell).beginParse();
  const inCell = refs.loadMaybeRef();
  const outRoot = refs.loadMaybeRef();
  const messages: CoreTransaction['messages'] = [];
  const add = (of: Cell, message: Message) =>
    messages.push({ hash: of.hash(), bodyHash: message.body.hash(), message });
  if (inCell) add(inCell, transaction.inMessage as Message);
  if (outRoot) {
    const out = transaction.outMessages.values();
    let index = 0;
    visitLeaves(outRoot.beginParse(), 15, false, (leaf) => add(leaf.loadRef(), out[index++] as Message));
  }
  return { cell, transaction, messages };
}
