import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder as Builder, type CellBuilder } from '../../ton/cell/cell-builder.ts';
import { numberKey } from '../../ton/cell/key-bits.ts';
import { NO_EXTRA, Trie } from '../../ton/cell/trie.ts';
import type { Money } from '../../ton/currencies/money.ts';
import { storeCurrencies } from '../../ton/store/store-currencies.ts';
import { storeExtBlkRef } from '../../ton/store/store-ext-blk-ref.ts';
import { storeShardIdent } from '../../ton/store/store-shard-ident.ts';
import type { ExtBlkRef } from '../../ton/tlb/ext-blk-ref.ts';
import type { ShardIdent } from '../../ton/tlb/shard-ident.ts';
import type { AccountEntry } from './account-entry.ts';
import type { LibraryEntry } from './libraries.ts';
import type { QueuedMessage } from './queued-message.ts';

/** Up to which message a shard has taken what was sent to it: all of a lower (lt, hash) are done. */
export interface Processed {
  readonly shard: bigint;
  readonly mcSeqno: number;
  readonly lt: bigint;
  readonly hash: Uint8Array;
}

/** A shard's state (ShardStateUnsplit) in the form that the collator works with. */
export interface LedgerFacts {
  readonly ident: ShardIdent;
  readonly globalId: number;
  readonly seqno: number;
  readonly utime: number;
  readonly endLt: bigint;
  readonly minRefMcSeqno: number;
  readonly beforeSplit: boolean;
  readonly accounts: Trie<AccountEntry, Money>;
  readonly queue: Trie<QueuedMessage, bigint>;
  readonly processed: Processed | null;
  readonly validatorFees: Money;
  /** Public libraries; only the masterchain has any. */
  readonly libraries: Trie<LibraryEntry>;
  readonly masterRef: ExtBlkRef | null;
  /** McStateExtra. */
  readonly custom: Cell | null;
}

/** A shard between two blocks. */
export interface ShardLedger extends LedgerFacts {
  readonly state: Cell;
  /** The block that ended with this state; of a zerostate the state itself. */
  readonly block: ExtBlkRef;
}

/** `(wc,shard)`, for errors and seeds. */
export function shardText({ workchain, shard }: ShardIdent): string {
  return `(${workchain},${shard.toString(16)})`;
}

// shard_state#9023afe2 …: see tlb/shard-state.ts.
export function stateCell(facts: LedgerFacts): Cell {
  const builder = new Builder().uint(0x9023afe2, 32).int(facts.globalId, 32);
  builder.with(storeShardIdent, facts.ident).uint(facts.seqno, 32).uint(0, 32);
  builder.uint(facts.utime, 32).u64(facts.endLt).uint(facts.minRefMcSeqno, 32);
  builder.ref(queueInfo(facts)).bit(facts.beforeSplit);
  const accounts = new Builder();
  facts.accounts.store(accounts);
  return builder.ref(accounts.cell()).ref(totals(facts)).maybeRef(facts.custom).cell();
}

// ^[ overload_history:uint64 underload_history:uint64 total_balance:CurrencyCollection
//    total_validator_fees:CurrencyCollection libraries:(HashmapE 256 LibDescr) master_ref:(Maybe BlkMasterInfo) ]
function totals({ accounts, validatorFees, libraries, masterRef }: LedgerFacts): Cell {
  const builder = new Builder().u64(0n).u64(0n);
  builder.with(storeCurrencies, accounts.extra()).with(storeCurrencies, validatorFees);
  libraries.store(builder);
  builder.bit(masterRef !== null);
  if (masterRef) builder.with(storeExtBlkRef, masterRef);
  return builder.cell();
}

// _ out_queue:OutMsgQueue proc_info:ProcessedInfo extra:(Maybe OutMsgQueueExtra) = OutMsgQueueInfo;
// out_msg_queue_extra#0 dispatch_queue:DispatchQueue out_queue_size:(Maybe uint48) = OutMsgQueueExtra;
// _ (HashmapAugE 256 AccountDispatchQueue uint64) = DispatchQueue;
function queueInfo({ queue, processed }: LedgerFacts): Cell {
  const builder = new Builder();
  queue.store(builder);
  builder.with(storeProcessed, processed);
  // No message is ever deferred, so that the dispatch queue is empty.
  builder.bit(true).uint(0, 4).bit(false).u64(0n);
  return builder.bit(true).bigUint(BigInt(queue.size), 48).cell();
}

// processed_upto$_ last_msg_lt:uint64 last_msg_hash:bits256 = ProcessedUpto;
// _ (HashmapE 96 ProcessedUpto) = ProcessedInfo;     the key: shard:uint64 mc_seqno:uint32
function storeProcessed(builder: CellBuilder, processed: Processed | null): void {
  let dict = Trie.empty<Processed>({
    keyBits: 96,
    store: (leaf, { lt, hash }) => leaf.u64(lt).bytes(hash),
    extra: NO_EXTRA,
  });
  if (processed) {
    const key = numberKey((processed.shard << 32n) | BigInt(processed.mcSeqno), 96);
    dict = dict.set(key, processed);
  }
  dict.store(builder);
}
