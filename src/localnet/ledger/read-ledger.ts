import { onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import { CellSlice } from '../../ton/boc/cell-slice.ts';
import { forEachLeaf } from '../../ton/boc/hashmap.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import { CellsOfBag } from '../../ton/cell/cells-of-bag.ts';
import { settle } from '../../ton/cell/make-update.ts';
import { Trie } from '../../ton/cell/trie.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import { loadLibraries } from '../../ton/tlb/account/lib-descr.ts';
import { forEachShardAccount } from '../../ton/tlb/account/shard-accounts.ts';
import { loadShardHashes } from '../../ton/tlb/block/shard-hashes.ts';
import { loadShardStateUnsplit } from '../../ton/tlb/block/shard-state.ts';
import { loadCurrencyCollection } from '../../ton/tlb/currency-collection.ts';
import { type ExtBlkRef, loadExtBlkRef } from '../../ton/tlb/ext-blk-ref.ts';
import { expectTag } from '../../ton/tlb/tag.ts';
import { loadWholeCell } from '../../ton/tlb/whole-cell.ts';
import { LocalnetError } from '../localnet-error.ts';
import { readStateEntry, SHARD_ACCOUNTS } from './account-entry.ts';
import { readChainConfig, readConfigDict } from './chain-config.ts';
import { LIBRARIES, PUBLISHERS } from './libraries.ts';
import { type MasterchainExtra, OLD_BLOCKS } from './masterchain-extra.ts';
import { OUT_QUEUE, queueKey, readQueued } from './queued-message.ts';
import { type Processed, type ShardLedger, stateCell } from './shard-ledger.ts';

/** A ledger and, for the masterchain, the contents of its custom cell. */
export interface ReadLedger {
  readonly ledger: ShardLedger;
  readonly extra: MasterchainExtra | null;
}

/**
 * Reads the ledger of a complete state; `block` is the block that ended with it. Writing it again gives the same cell;
 * otherwise it is not this state's ledger.
 * @throws LocalnetError a state that localnet does not produce
 */
export function readLedger(state: Cell, block: ExtBlkRef): ReadLedger {
  const boc = parseBoc(writeBag(state));
  const cells = new CellsOfBag(boc);
  const root = onlyRoot(boc);
  const read = loadWholeCell(boc, root, 'ShardStateUnsplit', loadShardStateUnsplit);
  const { totals } = read;
  if (totals === null) throw new LocalnetError('state', 'a whole one', 'pruned totals');
  const facts = {
    ident: read.shard,
    globalId: read.globalId,
    seqno: read.seqno,
    utime: read.genUtime,
    endLt: read.genLt,
    minRefMcSeqno: read.minRefMcSeqno,
    beforeSplit: read.beforeSplit,
    accounts: readAccounts(cells, read.accounts),
    ...readQueueInfo(cells, read.outMsgQueueInfo),
    validatorFees: totals.totalValidatorFees,
    libraries: readLibraries(cells, totals.libraries),
    masterRef: totals.masterRef,
    custom: read.custom < 0 ? null : cells.cell(read.custom),
  };
  const written = stateCell(facts);
  if (written.key !== state.key) throw new LocalnetError('state', 'the same when written again', 'another');
  settle(written);
  const extra = read.custom < 0 ? null : readExtra(cells, read.custom);
  return { ledger: { ...facts, state: written, block }, extra };
}

function readAccounts(cells: CellsOfBag, cell: number): ShardLedger['accounts'] {
  let accounts = Trie.empty(SHARD_ACCOUNTS);
  forEachShardAccount(cells.boc, cell, (address, shardAccount) => {
    const entry = readStateEntry(cells, shardAccount);
    if (entry) accounts = accounts.set(address.slice(), entry);
  });
  return accounts;
}

function readQueueInfo(cells: CellsOfBag, cell: number): Pick<ShardLedger, 'queue' | 'processed'> {
  const { boc } = cells;
  const slice = new CellSlice(boc, cell);
  let queue = Trie.empty(OUT_QUEUE);
  const root = slice.maybeRef();
  slice.u64();
  if (root >= 0) {
    forEachLeaf(boc, root, 352, (_key, value) => {
      // The extra and the lt of the entry; both are the message's.
      value.skipBits(128);
      const queued = readQueued(cells, value.ref());
      queue = queue.set(queueKey(queued), queued);
    });
  }
  return { queue, processed: readProcessed(slice) };
}

function readProcessed(slice: CellSlice): Processed | null {
  const root = slice.maybeRef();
  let processed: Processed | null = null;
  if (root < 0) return null;
  forEachLeaf(slice.boc, root, 96, (key, value) => {
    const view = new DataView(key.buffer, key.byteOffset);
    const [shard, mcSeqno] = [view.getBigUint64(0), view.getUint32(8)];
    processed = { shard, mcSeqno, lt: value.u64(), hash: value.bytes(32) };
  });
  return processed;
}

function readLibraries(cells: CellsOfBag, root: number): ShardLedger['libraries'] {
  let libraries = Trie.empty(LIBRARIES);
  for (const { hash, descr } of root < 0 ? [] : loadLibraries(cells.boc, root)) {
    let publishers = Trie.empty(PUBLISHERS);
    for (const publisher of descr.publishers) publishers = publishers.set(publisher, true);
    libraries = libraries.set(hash, { library: cells.cell(descr.lib), publishers });
  }
  return libraries;
}

// McStateExtra: see masterchain-extra.ts.
function readExtra(cells: CellsOfBag, custom: number): MasterchainExtra {
  const { boc } = cells;
  const slice = new CellSlice(boc, custom);
  expectTag(slice, 16, 0xcc26, 'McStateExtra');
  const shards = slice.maybeRef();
  slice.skipBits(256);
  const config = readChainConfig(readConfigDict(cells, slice.ref()));
  const rest = new CellSlice(boc, slice.ref());
  rest.skipBits(16);
  const validatorInfo = { listHash: rest.uint(32), catchainSeqno: rest.uint(32), nxCcUpdated: rest.bit() };
  let oldBlocks = Trie.empty(OLD_BLOCKS);
  const root = rest.maybeRef();
  rest.skipBits(65);
  if (root >= 0) {
    forEachLeaf(boc, root, 32, (key, value) => {
      value.skipBits(65);
      oldBlocks = oldBlocks.set(key.slice(), { isKey: value.bit(), ...loadExtBlkRef(value) });
    });
  }
  return {
    tops: shards < 0 ? [] : loadShardHashes(boc, shards),
    config,
    oldBlocks,
    afterKeyBlock: rest.bit(),
    lastKeyBlock: rest.bit() ? loadExtBlkRef(rest) : null,
    globalBalance: loadCurrencyCollection(slice),
    validatorInfo,
  };
}
