import { setTimeout as sleep } from 'node:timers/promises';
import { toBase64 } from '../../ton/hash/base64.ts';
import { toHex } from '../../ton/hash/hex.ts';
import type { PendingTrace, PendingTransaction } from '../pending/pending-trace.ts';
import { readPending } from '../pending/read-pending.ts';
import { rawAddress } from '../read/account-id.ts';
import { openScope, type ReadScope } from '../read/read-scope.ts';
import { readTransactionsByMessage } from '../read/read-transactions-by-message.ts';
import type { ServeContext } from '../serve-context.ts';
import { AnswerBodies } from '../v3/answers/answer-bodies.ts';
import { pendingTransactionAnswer } from '../v3/answers/pending-transaction-answer.ts';
import { bookAccounts } from '../v3/answers/transactions-answer.ts';
import { type Draft, writeEvents } from './stream-event.ts';
import type { Subscription } from './subscription.ts';
import { type Subscribed, SubscriptionIndex } from './subscription-index.ts';

/** A client that is told what is not final yet. What it has no room for it is not told: the final event comes anyway. */
export interface PendingReceiver extends Subscribed {
  hasRoom(): boolean;
  /** Sends an event that has no place in the chain. */
  tell(json: string): void;
}

/** Interval of looks at what is pending, ms. */
const LOOK_MS = 100;
/** Pause after a failure, ms. */
const RETRY_MS = 1_000;
/** Longest time of a look, ms. */
const TURN_MS = 10_000;
/** A trace that is neither pending nor in a block for so long is taken back, ms. */
const GONE_MS = 2_000;

/** Traces that are looked for in the blocks at a time. */
const MOST_SETTLED = 500;
/** Such events have no place in the chain, and no id. */
const NOWHERE = { seqno: 0, ordinal: 0 } as const;

/** What was told of a trace. */
interface Told {
  readonly hash: Uint8Array;
  /** The emulated transactions that each was told of last. */
  readonly names: Map<PendingReceiver, string>;
  goneAt: number | null;
}

/**
 * Tells of transactions that no block has yet, where the source knows what waits for its blocks (streaming.md 5 to 7), and
 * takes back those that never come. Works while it has receivers.
 */
export class PendingEvents {
  readonly #context: ServeContext;
  readonly #index = new SubscriptionIndex<PendingReceiver>();
  readonly #receivers = new Set<PendingReceiver>();
  /** By the normalised hash of the external message, base64. */
  readonly #told = new Map<string, Told>();
  #stop: AbortController | null = null;

  constructor(context: ServeContext) {
    this.#context = context;
  }

  /** Whether a subscription takes what the source can tell. */
  takes({ types, minFinality }: Subscription): boolean {
    return minFinality === 'pending' && types.has('transactions') && Boolean(this.#context.chain?.pending);
  }

  add(receiver: PendingReceiver): void {
    this.#receivers.add(receiver);
    this.#index.add(receiver);
    if (this.#stop) return;
    this.#stop = new AbortController();
    void this.#run(this.#stop.signal);
  }

  delete(receiver: PendingReceiver): void {
    if (!this.#receivers.delete(receiver)) return;
    this.#index.delete(receiver);
    for (const { names } of this.#told.values()) names.delete(receiver);
    if (this.#receivers.size === 0) this.close();
  }

  close(): void {
    this.#stop?.abort();
    this.#stop = null;
    this.#told.clear();
  }

  async #run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      let pauseMs = LOOK_MS;
      try {
        await this.#look(stop);
      } catch (error) {
        if (stop.aborted) return;
        this.#context.log.warn({ error }, 'what is pending could not be read; streams tell of it later');
        pauseMs = RETRY_MS;
      }
      await sleep(pauseMs, undefined, { signal: stop, ref: false }).catch(() => {});
    }
  }

  async #look(stop: AbortSignal): Promise<void> {
    await this.#context.freshen?.(['base']);
    const caller = { signal: stop, deadline: performance.now() + TURN_MS, client: 'stream', readOnly: true };
    const scope = openScope(this.#context, {
      route: 'streaming/pending',
      reads: ['base'],
      adds: ['contracts'],
      caller,
    });
    const traces = await readPending(scope as ReadScope);
    const here = new Set(traces.map((trace) => toBase64(trace.externalHashNorm)));
    for (const norm of here) {
      const told = this.#told.get(norm);
      if (told) told.goneAt = null;
    }
    const drafts = traces.flatMap((trace) => this.#draftsOf(trace));
    for (const { to, event } of await writeEvents(scope as ReadScope, drafts))
      if (this.#receivers.has(to) && !stop.aborted) to.tell(event.json);
    await this.#settle(scope as ReadScope, here);
  }

  /** Events for those who have not been told of exactly these transactions. */
  #draftsOf(trace: PendingTrace): readonly Draft<PendingReceiver>[] {
    const emulated = trace.transactions.filter((one) => one.emulated);
    if (emulated.length === 0) return [];
    const norm = toBase64(trace.externalHashNorm);
    const name = emulated.map(({ row }) => row.hash).join();
    const told = this.#told.get(norm) ?? { hash: trace.externalHash, names: new Map(), goneAt: null };
    const waiting = [...this.#index.byAddress('transactions', new Set(emulated.map(accountOf)))].filter(
      (one) => one.hasRoom() && told.names.get(one) !== name,
    );
    if (waiting.length > 0) this.#told.set(norm, told);
    const head = `{"type":"transactions","finality":"pending","trace_external_hash_norm":${JSON.stringify(norm)}`;
    const texts = new Map(emulated.map((one) => [one, textOf(trace, one, this.#context)]));
    return waiting.map((to) => {
      told.names.set(to, name);
      const own = emulated.filter((one) => to.subscription.addresses.has(accountOf(one))).toReversed();
      return {
        to,
        position: NOWHERE,
        key: `${norm} ${own.map(({ row }) => row.hash).join()}`,
        text: () => `${head},"transactions":[${own.map((one) => texts.get(one))}]`,
        addresses: () => bookAccounts(own.map(({ row }) => row)).map(rawAddress),
      };
    });
  }

  /** Forgets traces that are in a block, and takes back those that are nowhere. */
  async #settle(scope: ReadScope, here: ReadonlySet<string>): Promise<void> {
    const gone = [...this.#told].filter(([norm]) => !here.has(norm)).slice(0, MOST_SETTLED);
    if (gone.length === 0) return;
    const hashes = gone.map(([, { hash }]) => toHex(hash).toUpperCase());
    const page = { limit: MOST_SETTLED, offset: 0, descending: true };
    const rows = await readTransactionsByMessage(scope, { hashes, direction: 'in' }, page);
    const found = new Set(rows.flatMap(({ messages }) => messages.map(({ hash }) => toBase64(hash))));
    for (const [norm, told] of gone) {
      told.goneAt ??= performance.now();
      if (found.has(toBase64(told.hash))) this.#told.delete(norm);
      else if (performance.now() - told.goneAt > GONE_MS) this.#takeBack(norm, told);
    }
  }

  #takeBack(norm: string, { names }: Told): void {
    this.#told.delete(norm);
    const json = JSON.stringify({ type: 'trace_invalidated', trace_external_hash_norm: norm });
    for (const receiver of names.keys()) receiver.tell(json);
  }
}

function accountOf({ row }: PendingTransaction): string {
  return rawAddress({ workchain: row.workchain, hash: row.account });
}

/** Transaction of streaming.md 6: of the states around it only the hash. */
function textOf(trace: PendingTrace, one: PendingTransaction, context: ServeContext): string {
  return JSON.stringify({
    ...pendingTransactionAnswer(trace, one, new Map(), new AnswerBodies(context)),
    account_state_before: { hash: one.row.state_hash_before },
    account_state_after: { hash: one.row.state_hash_after },
  });
}
