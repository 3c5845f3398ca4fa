import { CellSlice } from '../../../src/ton/boc/cell-slice.ts';
import type { Money } from '../../../src/ton/currencies/money.ts';
import { toHex } from '../../../src/ton/hash/hex.ts';
import { loadHashUpdate } from '../../../src/ton/tlb/hash-update.ts';
import { expectTag } from '../../../src/ton/tlb/tag.ts';
import { loadTransaction, type Transaction } from '../../../src/ton/tlb/transaction/transaction.ts';
import { loadWholeCell } from '../../../src/ton/tlb/whole-cell.ts';
import { MONEY } from './extra-rules.ts';
import { type Descriptors, messageAt } from './message-rules.ts';
import type { ValidatedBlock } from './validated-block.ts';
import { walkAugmentedE, walkAugmentedInline } from './walk-augmented.ts';

export interface ValidatedTransaction extends Transaction {
  readonly hash: Uint8Array;
}

/** The transactions of one account in the order of their lts, and the account's hashes before and after them. */
export interface AccountChange {
  readonly address: string;
  readonly oldHash: Uint8Array;
  readonly newHash: Uint8Array;
  readonly transactions: readonly ValidatedTransaction[];
}

export interface AccountChanges {
  /** Fees that the transactions collected. */
  readonly fees: Money;
  readonly changes: ReadonlyMap<string, AccountChange>;
}

/** Checks ShardAccountBlocks: keys, extras, and the chain of each account's transactions. */
export function checkAccountBlocks(block: ValidatedBlock): AccountChanges {
  const changes = new Map<string, AccountChange>();
  const slice = new CellSlice(block.boc, block.extra.accountBlocks);
  const dict = {
    what: 'ShardAccountBlocks',
    keyBits: 256,
    rules: MONEY,
    leaf: (key: Uint8Array, value: CellSlice) => {
      const { change, fees } = readAccountBlock(block, key, value);
      changes.set(change.address, change);
      checkChain(block, change);
      return fees;
    },
  };
  const fees = walkAugmentedE(slice, dict, block.findings);
  slice.end('ShardAccountBlocks');
  return { fees, changes };
}

// acc_trans#5 account_addr:bits256 transactions:(HashmapAug 64 ^Transaction CurrencyCollection)
//   state_update:^(HASH_UPDATE Account) = AccountBlock;
function readAccountBlock(
  block: ValidatedBlock,
  key: Uint8Array,
  value: CellSlice,
): { change: AccountChange; fees: Money } {
  const { boc, hashes, findings } = block;
  expectTag(value, 4, 5, 'AccountBlock');
  const address = value.bytes(32);
  findings.equal('AccountBlock address', key, key, address);
  const transactions: ValidatedTransaction[] = [];
  const dict = {
    what: `transactions of ${toHex(address)}`,
    keyBits: 64,
    rules: MONEY,
    leaf: (ltKey: Uint8Array, leaf: CellSlice) => {
      const cell = leaf.ref();
      const transaction = loadWholeCell(boc, cell, 'Transaction', loadTransaction);
      findings.equal('transaction key', address, BigInt(`0x${toHex(ltKey)}`), transaction.lt);
      transactions.push({ ...transaction, hash: hashes.hash(cell) });
      return transaction.totalFees;
    },
  };
  const fees = walkAugmentedInline(value, dict, findings);
  const { oldHash, newHash } = loadWholeCell(boc, value.ref(), 'HASH_UPDATE', loadHashUpdate);
  return { change: { address: toHex(address), oldHash, newHash, transactions }, fees };
}

function checkChain({ findings, info }: ValidatedBlock, change: AccountChange): void {
  const { address, transactions } = change;
  let before: ValidatedTransaction | null = null;
  for (const transaction of transactions) {
    const { lt, accountAddr, stateUpdate, outMsgs } = transaction;
    findings.equal('transaction address', address, address, accountAddr);
    findings.holds('transaction lt', address, lt > info.startLt && lt < info.endLt, lt);
    findings.holds('block end_lt', address, lt + BigInt(outMsgs.length) < info.endLt, lt);
    findings.equal('transaction time', address, info.genUtime, transaction.now);
    if (before) {
      findings.equal('previous transaction hash', address, before.hash, transaction.prevTransHash);
      findings.equal('previous transaction lt', address, before.lt, transaction.prevTransLt);
      findings.equal('state between transactions', address, before.stateUpdate.newHash, stateUpdate.oldHash);
      findings.equal('status between transactions', address, before.endStatus, transaction.origStatus);
      findings.holds('lt after messages', address, lt > before.lt + BigInt(before.outMsgs.length), lt);
    } else findings.equal('state before', address, change.oldHash, stateUpdate.oldHash);
    before = transaction;
  }
  findings.equal('state after', address, change.newHash, before?.stateUpdate.newHash ?? null);
}

/** Checks that transactions and descriptors have the same messages, and that each message agrees with its transaction. */
export function checkMessages(
  block: ValidatedBlock,
  { changes }: AccountChanges,
  { inMsgs, outMsgs }: Descriptors,
): void {
  const { hashes, findings } = block;
  const transactions = new Set<string>();
  for (const { transactions: list } of changes.values()) {
    for (const transaction of list) {
      const hash = toHex(transaction.hash);
      transactions.add(hash);
      if (transaction.inMsg >= 0) checkIn(transaction, hash);
      for (const [i, cell] of transaction.outMsgs.entries()) checkOut(transaction, hash, cell, i);
    }
  }
  for (const [message, { transaction }] of [...inMsgs, ...outMsgs]) {
    if (transaction < 0) continue;
    findings.holds('described transaction', message, transactions.has(hashes.hash(transaction).toHex()));
  }

  function checkIn(transaction: ValidatedTransaction, hash: string): void {
    const message = hashes.hash(transaction.inMsg).toHex();
    const inMsg = inMsgs.get(message) ?? null;
    const of = inMsg && inMsg.transaction >= 0 ? hashes.hash(inMsg.transaction).toHex() : 'absent';
    findings.equal('in message of the transaction', message, hash, of);
    const { info } = messageAt(block, transaction.inMsg);
    if (info.kind === 'internal')
      findings.holds('lt after its in message', message, info.createdLt < transaction.lt, info.createdLt);
    if (info.kind !== 'ext_out' && info.dest.kind === 'std' && info.dest.anycast === null)
      findings.equal('in message destination', message, transaction.accountAddr, info.dest.address);
  }

  function checkOut(transaction: ValidatedTransaction, hash: string, cell: number, index: number): void {
    const message = hashes.hash(cell).toHex();
    const outMsg = outMsgs.get(message) ?? null;
    const of = outMsg && outMsg.transaction >= 0 ? hashes.hash(outMsg.transaction).toHex() : 'absent';
    findings.equal('out message of the transaction', message, hash, of);
    const { info } = messageAt(block, cell);
    if (info.kind === 'ext_in') findings.holds('out message kind', message, false, info.kind);
    else {
      findings.equal('out message lt', message, transaction.lt + 1n + BigInt(index), info.createdLt);
      if (info.src.kind === 'std' && info.src.anycast === null)
        findings.equal('out message source', message, transaction.accountAddr, info.src.address);
    }
  }
}
