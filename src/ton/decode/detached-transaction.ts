import { type Boc, onlyRoot, parseBoc } from '../boc/boc.ts';
import { CellHashes } from '../boc/cell-hashes.ts';
import { serializeCell } from '../boc/serialize.ts';
import type { BaseColumns } from '../columns/base-columns.ts';
import { packMessages } from '../columns/message-pack.ts';
import { type PackedStates, packStates } from '../columns/state-pack.ts';
import { loadTransaction, type Transaction } from '../tlb/transaction/transaction.ts';
import { loadWholeCell } from '../tlb/whole-cell.ts';
import type { BlockMeta } from './block-meta.ts';
import { MessageReader, type ReadMessage } from './message-reader.ts';
import { writeTransactionRow } from './transaction-row.ts';

/** The block that a transaction would belong to. */
export type DetachedBlock = Pick<BlockMeta, 'workchain' | 'shard' | 'seqno' | 'mcSeqno'>;

/** A parsed transaction that belongs to no block. */
export class DetachedTransaction {
  readonly transaction: Transaction;
  /** Hash of its cell. */
  readonly hash: Uint8Array;
  private readonly boc: Boc;
  private readonly messages: MessageReader;

  /**
   * `bytes`: a bag of cells. `softwareVersion`: of the block that it would belong to.
   * @throws BocError, CellError
   */
  constructor(bytes: Uint8Array, softwareVersion: number) {
    const boc = parseBoc(bytes);
    this.boc = boc;
    const root = onlyRoot(boc);
    const hashes = new CellHashes(boc);
    this.transaction = loadWholeCell(boc, root, 'Transaction', loadTransaction);
    this.hash = hashes.hash(root).slice();
    this.messages = new MessageReader(boc, hashes, softwareVersion);
  }

  /** The message of a cell of `transaction`, each read once. @throws CellError */
  message(cell: number): ReadMessage {
    return this.messages.read(cell);
  }

  /** The message of a cell as a bag of its own. */
  messageBag(cell: number): Uint8Array {
    return serializeCell(this.boc, cell);
  }

  /** Writes its row of `transactions`, and no other. @throws CellError */
  writeRow(columns: BaseColumns, block: DetachedBlock, states: PackedStates): void {
    const { inMsg, outMsgs } = this.transaction;
    const incoming = inMsg < 0 ? [] : [{ direction: 'in' as const, ...this.message(inMsg) }];
    const outgoing = outMsgs.map((cell) => ({ direction: 'out' as const, ...this.message(cell) }));
    const meta = { ...block, rootHash: NO_HASH, fileHash: NO_HASH };
    const hashed = { transaction: this.transaction, hash: this.hash };
    const packs = { messages: packMessages([...incoming, ...outgoing]), states: packStates(states) };
    writeTransactionRow(columns, meta, hashed, packs);
  }
}

const NO_HASH = new Uint8Array(32);
