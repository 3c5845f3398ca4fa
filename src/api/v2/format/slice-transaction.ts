/** The cell of a transaction, cut out of its block: v2 answers carry it and the store holds it only once. */
import { DataError } from '../../../platform/errors/error-kinds.ts';
import { type Boc, onlyRoot, parseBoc } from '../../../ton/boc/boc.ts';
import { CellSlice } from '../../../ton/boc/cell-slice.ts';
import { findLeaf } from '../../../ton/boc/find-leaf.ts';
import { serializeCell } from '../../../ton/boc/serialize.ts';
import { loadCurrencyCollection } from '../../../ton/tlb/currency-collection.ts';
import { expectTag } from '../../../ton/tlb/tag.ts';

/** Transaction of a block. */
export interface TransactionKey {
  readonly account: Uint8Array;
  readonly lt: bigint;
}

/** The block contradicts the index. */
export class TransactionCellError extends DataError {
  constructor(key: TransactionKey, found: string) {
    super(`transaction ${key.account.toHex()} at lt ${key.lt}: ${found}`);
  }
}

/**
 * The transactions of one block; the block is parsed once.
 *
 *     block#11ef55aa global_id:int32 info:^BlockInfo value_flow:^ValueFlow
 *       state_update:^(MERKLE_UPDATE ShardState) extra:^BlockExtra = Block;
 *     block_extra in_msg_descr:^InMsgDescr out_msg_descr:^OutMsgDescr account_blocks:^ShardAccountBlocks … = BlockExtra;
 *     _ (HashmapAugE 256 AccountBlock CurrencyCollection) = ShardAccountBlocks;
 *     acc_trans#5 account_addr:bits256 transactions:(HashmapAug 64 ^Transaction CurrencyCollection) … = AccountBlock;
 */
export class BlockTransactions {
  private readonly boc: Boc;
  private readonly accounts: number;

  /** @throws BocError, CellError: no block of the main chain family */
  constructor(bytes: Uint8Array) {
    this.boc = parseBoc(bytes);
    this.accounts = accountBlocksRoot(this.boc);
  }

  /**
   * The transaction's bag of cells: one root, checksum, no index.
   * @throws TransactionCellError if it is not in the block
   */
  slice(key: TransactionKey): Uint8Array {
    return serializeCell(this.boc, this.findCell(key));
  }

  private findCell(key: TransactionKey): number {
    if (this.accounts < 0) throw new TransactionCellError(key, 'the block has no account blocks');
    const account = findLeaf(new CellSlice(this.boc, this.accounts), { bytes: key.account, bits: 256 });
    if (!account) throw new TransactionCellError(key, 'the account is not in the block');
    loadCurrencyCollection(account);
    expectTag(account, 4, 5, 'AccountBlock');
    account.skipBits(256);
    const lt = new Uint8Array(8);
    new DataView(lt.buffer).setBigUint64(0, key.lt);
    const transaction = findLeaf(account, { bytes: lt, bits: 64 });
    if (!transaction) throw new TransactionCellError(key, 'the account has no transaction at this lt');
    loadCurrencyCollection(transaction);
    return transaction.ref();
  }
}

/** The root edge of ShardAccountBlocks; -1 if a block has no transactions. */
function accountBlocksRoot(boc: Boc): number {
  const block = new CellSlice(boc, onlyRoot(boc));
  expectTag(block, 32, 0x11ef55aa, 'Block');
  block.skipRefs(3);
  const extra = new CellSlice(boc, block.ref());
  expectTag(extra, 32, 0x4a33f6fd, 'BlockExtra');
  extra.skipRefs(2);
  return new CellSlice(boc, extra.ref()).maybeRef();
}
