import type { Cell } from '../../ton/cell/cell.ts';
import { Trie } from '../../ton/cell/trie.ts';
import { NO_MONEY } from '../../ton/currencies/money.ts';
import { toHex } from '../../ton/hash/hex.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import {
  envelopeCell,
  exportDeqImm,
  exportDeqShort,
  exportExt,
  exportImm,
  exportNew,
  importExt,
  importFin,
  importImm,
  type NewMetadata,
} from '../../ton/store/store-message-descr.ts';
import type { Emulator, RefusedMessage } from '../../tvm/emulator.ts';
import type { ExecutedTransaction } from '../ledger/executed-transaction.ts';
import type { OutMessage } from '../ledger/out-message.ts';
import {
  carriedValue,
  compareLtHash,
  compareQueued,
  type QueuedMessage,
  queueKey,
} from '../ledger/queued-message.ts';
import { contains, nextHopPrefix, routeFrom } from '../ledger/routing.ts';
import type { Processed, ShardLedger } from '../ledger/shard-ledger.ts';
import { IN_MSG_DESCR, type InEntry, OUT_MSG_DESCR, type OutEntry } from './descriptors.ts';
import type { DirectTerms } from './direct/direct-terms.ts';
import type { ExternalMessage } from './external-message.ts';
import { Heap } from './heap.ts';
import type { Impersonation, Intervention } from './intervene/intervention.ts';
import type { ChangedAccount } from './intervene/replace-account.ts';
import type { Pieces } from './pieces.ts';
import { TransactionRun } from './transaction-run.ts';

/** A message that this block made and that is not delivered yet, with the transaction that sent it. */
interface FreshMessage {
  readonly queued: QueuedMessage;
  readonly transaction: Cell;
}

/** Messages of the system take no way: all bits are of the destination. */
const SYSTEM_ROUTE = { curBits: 96, nextBits: 96 } as const;

/** True if the state of an account is decided. False: it must be loaded before a message is delivered to it. */
export type IsKnown = (account: AccountAddress) => boolean;

/** A transaction and the message that began it. */
export interface MessageLink {
  /** Hash of the message; null for a tick or tock. */
  readonly inMsg: Uint8Array | null;
  readonly transaction: ExecutedTransaction;
}

/**
 * A block while its transactions are executed. Order: special accounts' ticks, messages from queues by (lt, hash),
 * external messages, messages that these made, special accounts' tocks.
 */
export class BlockDraft {
  readonly ledger: ShardLedger;
  readonly run: TransactionRun;
  readonly startLt: bigint;
  inMsgs = Trie.empty(IN_MSG_DESCR);
  outMsgs = Trie.empty(OUT_MSG_DESCR);
  readonly records = new Map<string, { address: Uint8Array; transactions: ExecutedTransaction[] }>();
  /** Messages of all transactions, in the order of their execution. */
  readonly links: MessageLink[] = [];
  queue: ShardLedger['queue'];
  processed: Processed | null;
  endLt: bigint;
  transactions = 0;
  /** Gas of all transactions. */
  gas = 0;
  /** Nanotons that interventions added to the chain. */
  minted = 0n;
  private readonly limit: number;
  private readonly gasLimit: number;
  private readonly withMetadata: boolean;
  private readonly mcSeqno: number;
  private readonly isKnown: IsKnown;
  private isBlocked = false;
  private readonly fresh = new Heap<FreshMessage>((a, b) => compareQueued(a.queued, b.queued));

  constructor(options: {
    ledger: ShardLedger;
    emulator: Emulator;
    startLt: bigint;
    /** Transactions of a block; messages beyond it wait in the queue. */
    limit: number;
    /** Once the transactions took so much, messages wait too. */
    gasLimit: number;
    withMetadata: boolean;
    /** The masterchain block that the block refers to. */
    mcSeqno: number;
    /** Makes transactions that need no TVM; null: the TVM makes all. */
    direct: DirectTerms | null;
    /** As in `StepOrder`. */
    isKnown: IsKnown;
  }) {
    const { ledger, emulator, startLt, limit, gasLimit, withMetadata, mcSeqno, direct } = options;
    this.ledger = ledger;
    this.run = new TransactionRun(emulator, ledger.accounts, direct);
    this.startLt = startLt;
    this.endLt = startLt + 1n;
    this.queue = ledger.queue;
    this.processed = ledger.processed;
    this.limit = limit;
    this.gasLimit = gasLimit;
    this.withMetadata = withMetadata;
    this.mcSeqno = mcSeqno;
    this.isKnown = options.isKnown;
  }

  /** Runs a special account without a message. */
  special(account: AccountAddress, which: 'tick' | 'tock'): void {
    const minLt = which === 'tick' ? this.startLt + 1n : this.endLt;
    const transaction = this.run.special(account, which, minLt);
    this.note(transaction, this.origin(account, transaction.lt), null);
  }

  /** Does what the developer asked for, before all messages. */
  *intervene(interventions: readonly Intervention[]): Pieces<void> {
    for (const one of interventions) {
      const minLt = this.startLt + 1n;
      if (one.kind === 'send') this.impersonate(one);
      else this.change(one.kind === 'set' ? this.run.set(one, minLt) : this.run.load(one, minLt));
      yield;
    }
  }

  private change(changed: ChangedAccount | null): void {
    if (!changed) return;
    const { transaction, message, minted } = changed;
    const envelope = envelopeCell({ ...SYSTEM_ROUTE, fwdFeeRemaining: 0n, message, metadata: null });
    const cell = importImm(envelope, transaction.cell, 0n);
    this.addIn(message.hash(), { cell, sum: { fees: 0n, value: NO_MONEY } });
    this.minted += minted;
    this.note(transaction, null, message.hash());
  }

  private impersonate(impersonation: Impersonation): void {
    const { account, external } = impersonation;
    const result = this.run.sendAs(impersonation, this.startLt + 1n);
    if (result.accepted) this.importExternal({ cell: external, dest: account }, result);
    else {
      const message = external.hash();
      this.run.unexecuted.push({ kind: 'external', account, message, reason: result.error });
    }
  }

  /** Removes queued messages that their destination has received, by its committed state. */
  dequeue(neighbours: readonly ShardLedger[]): void {
    for (const [key, queued] of this.queue.entries()) {
      const { dest, createdLt, hash, source } = queued.message;
      const taker = neighbours.find(({ ident }) => contains(ident, dest));
      if (!taker?.processed || !isDone(taker.processed, createdLt, hash)) continue;
      this.queue = this.queue.delete(key);
      const prefix = nextHopPrefix(source, dest, queued.nextBits);
      const cell = exportDeqShort(queued.envelope, dest.workchain, prefix, taker.endLt);
      this.addOut(hash, { cell, value: NO_MONEY });
    }
  }

  /** Delivers messages for this shard from its own queue and the other shards' queues, one message a piece. */
  *importQueued(neighbours: readonly ShardLedger[]): Pieces<void> {
    const waiting: QueuedMessage[] = [];
    for (const { queue } of [{ queue: this.queue }, ...neighbours]) {
      for (const [, queued] of queue.entries()) {
        const { dest, createdLt, hash } = queued.message;
        if (!contains(this.ledger.ident, dest)) continue;
        if (this.processed === null || !isDone(this.processed, createdLt, hash)) waiting.push(queued);
      }
    }
    for (const queued of waiting.sort(compareQueued)) {
      this.checkKnown(queued.message.dest);
      if (!this.hasRoom) return;
      this.importOne(queued);
      yield;
    }
  }

  /** Executes an external message; null for one that was accepted. */
  external(message: ExternalMessage): RefusedMessage | null {
    const result = this.run.external(message, this.startLt + 1n);
    if (!result.accepted) return result;
    this.importExternal(message, result);
    return null;
  }

  private importExternal({ cell, dest }: ExternalMessage, result: ExecutedTransaction): void {
    const hash = cell.hash();
    this.addIn(hash, { cell: importExt(cell, result.cell), sum: { fees: 0n, value: NO_MONEY } });
    this.note(result, this.origin(dest, result.lt), hash);
  }

  /** Whether another transaction fits. */
  get hasRoom(): boolean {
    return !this.isBlocked && this.transactions < this.limit && this.gas < this.gasLimit;
  }

  /** Messages are delivered in order: one for an account that is not loaded yet stops those after it, too. */
  private checkKnown(dest: AccountAddress): void {
    if (!this.isKnown(dest)) this.isBlocked = true;
  }

  /** Delivers messages made in this block to accounts of this shard, one a piece; queues the others, and those beyond the limit. */
  *deliverFresh(): Pieces<void> {
    for (let fresh = this.fresh.pop(); fresh; fresh = this.fresh.pop()) {
      const { dest } = fresh.queued.message;
      const isOwn = contains(this.ledger.ident, dest);
      if (isOwn) this.checkKnown(dest);
      if (isOwn && this.hasRoom) this.deliverNow(fresh);
      else this.enqueue(fresh);
      yield;
    }
  }

  private importOne(queued: QueuedMessage): void {
    const { message, envelope, fwdFeeRemaining } = queued;
    const transaction = this.run.deliver(message, this.after(message.createdLt));
    const cell = importFin(envelope, transaction.cell, fwdFeeRemaining);
    this.addIn(message.hash, { cell, sum: { fees: fwdFeeRemaining, value: carriedValue(queued) } });
    const key = queueKey(queued);
    if (this.queue.get(key)) {
      this.queue = this.queue.delete(key);
      this.addOut(message.hash, { cell: exportDeqImm(envelope, cell), value: NO_MONEY });
    }
    const { shard } = this.ledger.ident;
    this.processed = { shard, mcSeqno: this.mcSeqno, lt: message.createdLt, hash: message.hash };
    this.note(transaction, next(queued.metadata), message.hash);
  }

  private deliverNow({ queued, transaction: sender }: FreshMessage): void {
    const { message, envelope, fwdFeeRemaining } = queued;
    const transaction = this.run.deliver(message, this.after(message.createdLt));
    const cell = importImm(envelope, transaction.cell, fwdFeeRemaining);
    this.addIn(message.hash, { cell, sum: { fees: fwdFeeRemaining, value: NO_MONEY } });
    this.addOut(message.hash, { cell: exportImm(envelope, sender, cell), value: NO_MONEY });
    this.note(transaction, next(queued.metadata), message.hash);
  }

  private enqueue({ queued, transaction }: FreshMessage): void {
    const { envelope, message } = queued;
    this.addOut(message.hash, { cell: exportNew(envelope, transaction), value: carriedValue(queued) });
    this.queue = this.queue.set(queueKey(queued), queued);
  }

  /** Takes an executed transaction into the block, and its messages into what is to be delivered. */
  private note(
    transaction: ExecutedTransaction,
    metadata: NewMetadata | null,
    inMsg: Uint8Array | null,
  ): void {
    this.links.push({ inMsg, transaction });
    const key = toHex(transaction.address);
    const record = this.records.get(key);
    if (record) record.transactions.push(transaction);
    else this.records.set(key, { address: transaction.address, transactions: [transaction] });
    this.transactions++;
    this.gas += transaction.gas;
    if (transaction.endLt > this.endLt) this.endLt = transaction.endLt;
    for (const message of transaction.messages) {
      if (message.kind === 'ext_out')
        this.addOut(message.hash, { cell: exportExt(message.cell, transaction.cell), value: NO_MONEY });
      else this.fresh.push({ queued: this.wrap(message, metadata), transaction: transaction.cell });
    }
  }

  private wrap(message: OutMessage, metadata: NewMetadata | null): QueuedMessage {
    const { fwdFee } = message;
    const { curBits, nextBits } = routeFrom(this.ledger.ident, message.source, message.dest);
    const envelope = envelopeCell({
      curBits,
      nextBits,
      fwdFeeRemaining: fwdFee,
      message: message.cell,
      metadata,
    });
    return { envelope, message, fwdFeeRemaining: fwdFee, metadata, nextBits };
  }

  /** Metadata of messages of a transaction that begins a chain of them. */
  private origin(initiator: AccountAddress, initiatorLt: bigint): NewMetadata | null {
    return this.withMetadata ? { depth: 0, initiator, initiatorLt } : null;
  }

  private after(createdLt: bigint): bigint {
    return createdLt < this.startLt ? this.startLt + 1n : createdLt + 1n;
  }

  private addIn(hash: Uint8Array, entry: InEntry): void {
    this.inMsgs = this.inMsgs.set(hash, entry);
  }

  private addOut(hash: Uint8Array, entry: OutEntry): void {
    this.outMsgs = this.outMsgs.set(hash, entry);
  }
}

function isDone(processed: Processed, lt: bigint, hash: Uint8Array): boolean {
  return compareLtHash(lt, hash, processed.lt, processed.hash) <= 0;
}

function next(metadata: NewMetadata | null): NewMetadata | null {
  return metadata && { ...metadata, depth: metadata.depth + 1 };
}
