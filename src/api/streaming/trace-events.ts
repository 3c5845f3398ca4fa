import { readTraceTransactions } from '../entities/traces/transactions.ts';
import type { ReadScope } from '../query/scope.ts';
import { classifyTraces } from '../v3/answers/classify-traces.ts';
import type { SentActions } from './corrections/sent-actions.ts';
import type { ChangedTrace } from './step-changes.ts';
import { type Addressed, type Draft, writeEvents } from './stream-event.ts';
import type { Subscribed, SubscriptionIndex } from './subscription-index.ts';
import { actionsContent, type LoadedTrace, traceContent, transactionsContent } from './trace-contents.ts';

/** Traces whose transactions are in memory at the same time. */
const TRACES_AT_ONCE = 500;

/** Types of events of a trace, in their order within a step. */
const TYPES = [
  ['transactions', transactionsContent],
  ['actions', actionsContent],
  ['trace', traceContent],
] as const;

/** Events `transactions`, `actions` and `trace` of changed traces (streaming.md 6) for those who want them. */
export async function traceEvents<T extends Subscribed>(
  scope: ReadScope<'base' | 'traces'>,
  changes: readonly ChangedTrace[],
  index: SubscriptionIndex<T>,
  sent: SentActions | undefined,
): Promise<readonly Addressed<T>[]> {
  const wanted = changes.filter((change) => isWanted(change, index));
  const events: Addressed<T>[] = [];
  for (let at = 0; at < wanted.length; at += TRACES_AT_ONCE) {
    const loaded = await loadTraces(scope, wanted.slice(at, at + TRACES_AT_ONCE));
    const traces = index.has('actions') || index.has('trace') ? await classify(scope, loaded) : loaded;
    const drafts = traces.flatMap((trace) => {
      const own = buildDrafts(trace, index);
      if (own.length > 0 && trace.actions.length > 0) sent?.note(trace);
      return own;
    });
    for (const event of await writeEvents(scope, drafts)) events.push(event);
  }
  return events;
}

/**
 * The accounts of actions are known after classification: while a client waits for actions, all complete traces are
 * classified.
 */
function isWanted<T extends Subscribed>(
  { accounts, hashNorm, row }: ChangedTrace,
  index: SubscriptionIndex<T>,
): boolean {
  return (
    (index.has('actions') && row.state === 'complete') ||
    index.byHash(hashNorm).size > 0 ||
    index.byAddress('transactions', accounts).size > 0
  );
}

/** A trace that several of the steps changed is read once, and shown as of each. */
async function loadTraces(
  scope: ReadScope<'base' | 'traces'>,
  changes: readonly ChangedTrace[],
): Promise<readonly LoadedTrace[]> {
  const toKey = ({ row }: ChangedTrace) => `${row.start_lt} ${row.trace8}`;
  const keys = new Map(changes.map((change) => [toKey(change), change.row]));
  const transactions = await readTraceTransactions(scope, [...keys.values()]);
  return changes.map((change) => {
    const all = transactions.get(keys.get(toKey(change))!) ?? [];
    return {
      change,
      rows: all.filter(({ mc_seqno: seqno }) => seqno <= change.seqno),
      actions: [],
      context: scope.context,
    };
  });
}

async function classify(scope: ReadScope, traces: readonly LoadedTrace[]): Promise<readonly LoadedTrace[]> {
  const rows = new Map(traces.map((trace) => [trace.change.row, trace.rows]));
  const classified = await classifyTraces(scope, [...rows.keys()], rows);
  return traces.map((trace) => {
    const { actions = [], isUnsettled = false } = classified.get(trace.change.row) ?? {};
    return { ...trace, actions, isUnsettled };
  });
}

function buildDrafts<T extends Subscribed>(
  trace: LoadedTrace,
  index: SubscriptionIndex<T>,
): readonly Draft<T>[] {
  const { accounts, hashNorm, seqno, ordinal } = trace.change;
  const named = new Set(trace.actions.flatMap((action) => action.accounts));
  const subscribed = {
    transactions: index.byAddress('transactions', accounts),
    actions: index.byAddress('actions', named),
    trace: index.byHash(hashNorm),
  };
  return TYPES.flatMap(([type, buildContent], place) =>
    [...subscribed[type]].flatMap((to) => {
      const content = buildContent(trace, to.subscription);
      return content ? [{ to, position: { seqno, ordinal: ordinal + place }, ...content }] : [];
    }),
  );
}
