import { pause } from '../../platform/retry/poll.ts';
import { toBase64 } from '../../ton/hash/base64.ts';
import { toHex } from '../../ton/hash/hex.ts';
import type { ClassifiedTrace } from '../classifier-port.ts';
import { readTransactionsByMessage } from '../entities/transactions/by-message.ts';
import type { PendingTrace } from '../pending/pending-trace.ts';
import { readPending } from '../pending/read-pending.ts';
import { openScope, type ReadScope } from '../query/scope.ts';
import type { ServeContext } from '../serve-context.ts';
import { classifyPending } from '../v3/answers/pending/classify-pending.ts';
import {
  type ForeseenTrace,
  foreseenAccounts,
  pendingActions,
  pendingTrace,
  pendingTransactions,
} from './pending-contents.ts';
import { type Draft, writeEvents } from './stream-event.ts';
import type { EventType, Subscription } from './subscription.ts';
import { type Subscribed, SubscriptionIndex } from './subscription-index.ts';

/** A client that gets pending events. Events beyond its room are omitted: the final ones come later. */
export interface PendingReceiver extends Subscribed {
  hasRoom(): boolean;
  /** Sends an event that has no place in the chain. */
  sendPending(json: string): void;
}

/** Interval of looks at what is pending, ms. */
const POLL_INTERVAL_MS = 100;
/** Pause after a failure, ms. */
const RETRY_MS = 1_000;
/** Longest time of a look, ms. */
const TURN_MS = 10_000;
/** A trace that is neither pending nor in a block for so long is taken back, ms. */
const GONE_MS = 2_000;

/** Traces that are looked for in the blocks at a time. */
const MAX_SETTLED = 500;
/** Such events have no place in the chain, and no id. */
const NO_POSITION = { seqno: 0, ordinal: 0 } as const;

/** A trace that receivers already have. */
interface AnnouncedTrace {
  readonly hash: Uint8Array;
  /** The emulated transactions last sent to each, by the type of the event. */
  readonly names: Map<PendingReceiver, Map<EventType, string>>;
  goneAt: number | null;
}

/** Classification of a trace while it had these emulated transactions. */
interface Classified {
  readonly name: string;
  readonly outcome: ClassifiedTrace | undefined;
}

/** Types of events of a trace, in their order. */
const TYPES = [
  ['transactions', pendingTransactions],
  ['actions', pendingActions],
  ['trace', pendingTrace],
] as const;

/**
 * Sends transactions, actions and traces that no block has yet, if the source knows pending messages (streaming.md 5 to
 * 7), and invalidates those that never arrive. Works while it has receivers.
 */
export class PendingEvents {
  readonly #context: ServeContext;
  readonly #index = new SubscriptionIndex<PendingReceiver>();
  readonly #receivers = new Set<PendingReceiver>();
  /** By the normalised hash of the external message, base64. */
  readonly #announced = new Map<string, AnnouncedTrace>();
  /** By the same. */
  readonly #outcomes = new Map<string, Classified>();
  #stop: AbortController | null = null;
  /** When it last read what is pending. */
  #polledAt = 0;

  constructor(context: ServeContext) {
    this.#context = context;
  }

  /** True if a subscription accepts pending events of the source. */
  takes({ types, minFinality }: Subscription): boolean {
    const hasPendingType = TYPES.some(([type]) => types.has(type));
    return minFinality === 'pending' && hasPendingType && Boolean(this.#context.chain?.pending);
  }

  /** Time without reading pending events, ms; null without receivers. */
  get silentMs(): number | null {
    return this.#stop ? performance.now() - this.#polledAt : null;
  }

  add(receiver: PendingReceiver): void {
    this.#receivers.add(receiver);
    this.#index.add(receiver);
    if (this.#stop) return;
    this.#polledAt = performance.now();
    this.#stop = new AbortController();
    void this.#run(this.#stop.signal);
  }

  delete(receiver: PendingReceiver): void {
    if (!this.#receivers.delete(receiver)) return;
    this.#index.delete(receiver);
    for (const { names } of this.#announced.values()) names.delete(receiver);
    if (this.#receivers.size === 0) this.close();
  }

  close(): void {
    this.#stop?.abort();
    this.#stop = null;
    this.#announced.clear();
    this.#outcomes.clear();
  }

  async #run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      let pauseMs = POLL_INTERVAL_MS;
      try {
        await this.#poll(stop);
        this.#polledAt = performance.now();
      } catch (error) {
        if (stop.aborted) return;
        this.#context.log.warn({ error }, 'pending transactions could not be read; streams send them later');
        pauseMs = RETRY_MS;
      }
      await pause(pauseMs, stop, { isBackground: true });
    }
  }

  async #poll(stop: AbortSignal): Promise<void> {
    await this.#context.freshen?.(['base']);
    const caller = { signal: stop, deadline: performance.now() + TURN_MS, client: 'stream', readOnly: true };
    const scope = openScope(this.#context, {
      route: 'streaming/pending',
      reads: ['base'],
      adds: ['contracts'],
      caller,
    });
    const traces = await readPending(scope as ReadScope);
    const here = new Set(traces.map(getHashNorm));
    for (const norm of here) {
      const announced = this.#announced.get(norm);
      if (announced) announced.goneAt = null;
    }
    for (const norm of this.#outcomes.keys()) if (!here.has(norm)) this.#outcomes.delete(norm);
    const foreseen = await this.#foresee(scope as ReadScope, traces);
    const drafts = foreseen.flatMap((one) => this.#buildDrafts(one));
    for (const { to, event } of await writeEvents(scope as ReadScope, drafts))
      if (this.#receivers.has(to) && !stop.aborted) to.sendPending(event.json);
    await this.#settle(scope as ReadScope, here);
  }

  /** Traces with emulated transactions, classified for receivers of actions: each once for its transactions. */
  async #foresee(scope: ReadScope, traces: readonly PendingTrace[]): Promise<readonly ForeseenTrace[]> {
    const open = traces.filter(({ transactions }) => transactions.some((one) => one.emulated));
    const isWanted = this.#index.has('actions') || this.#index.has('trace');
    const fresh = isWanted ? open.filter((trace) => this.#known(trace) === undefined) : [];
    if (fresh.length > 0) {
      const { outcomes } = await classifyPending(scope, fresh);
      for (const trace of fresh)
        this.#outcomes.set(getHashNorm(trace), { name: getName(trace), outcome: outcomes.get(trace) });
    }
    return open.map((trace) => ({
      trace,
      outcome: this.#known(trace)?.outcome,
      context: this.#context,
    }));
  }

  #known(trace: PendingTrace): Classified | undefined {
    const found = this.#outcomes.get(getHashNorm(trace));
    return found?.name === getName(trace) ? found : undefined;
  }

  /** Events for receivers that do not have exactly these transactions. */
  #buildDrafts(foreseen: ForeseenTrace): readonly Draft<PendingReceiver>[] {
    const { trace, outcome } = foreseen;
    const norm = getHashNorm(trace);
    const name = getName(trace);
    const announced = this.#announced.get(norm) ?? {
      hash: trace.externalHash,
      names: new Map(),
      goneAt: null,
    };
    const named = outcome?.actions.flatMap(({ accounts }) => accounts) ?? [];
    const receivers = {
      transactions: this.#index.byAddress('transactions', foreseenAccounts(trace)),
      actions: this.#index.byAddress('actions', new Set(named)),
      trace: [...this.#index.byHash(norm)].filter(({ subscription }) => subscription.types.has('trace')),
    };
    const drafts = TYPES.flatMap(([type, buildContent]) =>
      [...receivers[type]].flatMap((to) => {
        const names = announced.names.get(to) ?? new Map<EventType, string>();
        if (!to.hasRoom() || names.get(type) === name) return [];
        const content = buildContent(foreseen, to.subscription);
        if (!content) return [];
        announced.names.set(to, names.set(type, name));
        return [{ to, position: NO_POSITION, ...content, key: `${type} ${norm} ${content.key}` }];
      }),
    );
    if (drafts.length > 0) this.#announced.set(norm, announced);
    return drafts;
  }

  /** Forgets traces that are in a block, and takes back those that are nowhere. */
  async #settle(scope: ReadScope, here: ReadonlySet<string>): Promise<void> {
    const gone = [...this.#announced].filter(([norm]) => !here.has(norm)).slice(0, MAX_SETTLED);
    if (gone.length === 0) return;
    const hashes = gone.map(([, { hash }]) => toHex(hash).toUpperCase());
    const page = { limit: MAX_SETTLED, offset: 0, descending: true };
    const rows = await readTransactionsByMessage(scope, { hashes, direction: 'in' }, page);
    const found = new Set(rows.flatMap(({ messages }) => messages.map(({ hash }) => toBase64(hash))));
    for (const [norm, announced] of gone) {
      announced.goneAt ??= performance.now();
      if (found.has(toBase64(announced.hash))) this.#announced.delete(norm);
      else if (performance.now() - announced.goneAt > GONE_MS) this.#takeBack(norm, announced);
    }
  }

  #takeBack(norm: string, { names }: AnnouncedTrace): void {
    this.#announced.delete(norm);
    const json = JSON.stringify({ type: 'trace_invalidated', trace_external_hash_norm: norm });
    for (const receiver of names.keys()) receiver.sendPending(json);
  }
}

const getHashNorm = ({ externalHashNorm }: PendingTrace): string => toBase64(externalHashNorm);

/** The emulated transactions of a trace. */
function getName({ transactions }: PendingTrace): string {
  return transactions.flatMap(({ row, emulated }) => (emulated ? [row.hash] : [])).join();
}
