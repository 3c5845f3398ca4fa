import type { BaseColumns } from '../columns/base-columns.ts';
import { type PackedMessage, packMessages } from '../columns/message-pack.ts';
import { toHex } from '../hash/hex.ts';
import type { AccountBlock } from '../tlb/block/account-block.ts';
import { forEachAccountBlock } from '../tlb/block/shard-account-blocks.ts';
import { loadTransaction, type Transaction } from '../tlb/transaction/transaction.ts';
import { loadWholeCell } from '../tlb/whole-cell.ts';
import { type AccountSides, packAccountStates } from './account-sides.ts';
import { Contradiction } from './block-error.ts';
import type { BlockMeta } from './block-meta.ts';
import type { BlockRows } from './block-rows.ts';
import type { ChangedAccount } from './changed-account.ts';
import { MessageReader } from './message-reader.ts';
import { writeMessageRow } from './message-row.ts';
import type { OpenBlock } from './open-block.ts';
import { expectHash } from './same-bytes.ts';
import { type HashedTransaction, writeTransactionRow } from './transaction-row.ts';

/**
 * Writes `transactions` and `messages`: accounts by address, their transactions by lt, and per transaction the incoming
 * message, then the outgoing ones by index. Checks each account's chain of transactions and states. `sides` belong to
 * `blocks`, in their order.
 */
export function writeTransactionRows(
  rows: BlockRows,
  blocks: readonly AccountBlock[],
  sides: readonly AccountSides[],
): ChangedAccount[] {
  const writer = new TransactionWriter(rows);
  return blocks.map((block, index) => writer.writeAccount(block, sides[index] as AccountSides));
}

/** The account blocks, by address. */
export function readAccountBlocks(open: OpenBlock): AccountBlock[] {
  const blocks: AccountBlock[] = [];
  forEachAccountBlock(open.boc, open.extra.accountBlocks, (address, block) => {
    expectHash('transactions', 'address of an account block', address, block.accountAddr);
    blocks.push(block);
  });
  return blocks;
}

class TransactionWriter {
  private readonly columns: BaseColumns;
  private readonly meta: BlockMeta;
  private readonly open: OpenBlock;
  private readonly messages: MessageReader;

  constructor({ columns, meta, open }: BlockRows) {
    this.columns = columns;
    this.meta = meta;
    this.open = open;
    this.messages = new MessageReader(open.boc, open.hashes, open.info.genSoftware?.version ?? 0);
  }

  writeAccount(block: AccountBlock, sides: AccountSides): ChangedAccount {
    const { boc, hashes } = this.open;
    const states = packAccountStates(sides, block.transactions.length);
    const { oldHash, newHash } = block.stateUpdate;
    let first: Transaction | null = null;
    let last: HashedTransaction | null = null;
    let spent = 0n;
    for (const [index, cell] of block.transactions.entries()) {
      const transaction = loadWholeCell(boc, cell, 'Transaction', loadTransaction);
      const hashed = { transaction, hash: hashes.hash(cell) };
      checkLink(block, transaction, last);
      spent += transaction.totalFees.grams + this.writeTransaction(hashed, states[index] as Uint8Array);
      first ??= transaction;
      last = hashed;
    }
    if (!first || !last)
      throw new Contradiction('transactions', `account ${toHex(block.accountAddr)} has none`);
    expectHash(
      'transactions',
      'state after the last transaction',
      newHash,
      last.transaction.stateUpdate.newHash,
    );
    return {
      address: block.accountAddr,
      origStatus: first.origStatus,
      oldHash,
      newHash,
      prevLt: first.prevTransLt,
      lastLt: last.transaction.lt,
      lastHash: last.hash,
      lastNow: last.transaction.now,
      spent,
    };
  }

  /** Gives the grams that the transaction sent, less those that it received. */
  private writeTransaction(hashed: HashedTransaction, states: Uint8Array): bigint {
    const { transaction, hash } = hashed;
    const { mcSeqno, workchain, indexedFromLt = 0n } = this.meta;
    const { accountAddr: account, lt, now } = transaction;
    const owner = { mcSeqno, workchain, account, lt, hash, now, indexedFromLt };
    const messages: PackedMessage[] = [];
    if (transaction.inMsg >= 0) messages.push({ direction: 'in', ...this.messages.read(transaction.inMsg) });
    for (const cell of transaction.outMsgs) messages.push({ direction: 'out', ...this.messages.read(cell) });
    for (const message of messages) writeMessageRow(this.columns, owner, message);
    const packs = { messages: packMessages(messages), states };
    writeTransactionRow(this.columns, this.meta, hashed, packs);
    return messages.reduce((sum, message) => sum + carried(message), 0n);
  }
}

/** Grams that leave (positive) or reach (negative) the account with an internal message. */
function carried(message: PackedMessage): bigint {
  const { direction, value, fwdFee, ihrFee } = message;
  return direction === 'out' ? value + fwdFee + ihrFee : -(value + ihrFee);
}

/** A transaction against its account block and the one before it. */
function checkLink(block: AccountBlock, transaction: Transaction, before: HashedTransaction | null): void {
  const { lt, prevTransHash, prevTransLt, stateUpdate } = transaction;
  expectHash('transactions', 'account of a transaction', block.accountAddr, transaction.accountAddr);
  const oldHash = before ? before.transaction.stateUpdate.newHash : block.stateUpdate.oldHash;
  expectHash('transactions', `state before transaction ${lt}`, oldHash, stateUpdate.oldHash);
  if (prevTransLt >= lt) throw new Contradiction('transactions', `transaction ${lt} after ${prevTransLt}`);
  if (!before) return;
  expectHash('transactions', `transaction before ${lt}`, before.hash, prevTransHash);
  if (prevTransLt !== before.transaction.lt) {
    const expected = before.transaction.lt;
    throw new Contradiction('transactions', `lt before ${lt}: expected ${expected}, found ${prevTransLt}`);
  }
}
