import { readActionsOfTraces } from '../../entities/actions/find-of-traces.ts';
import { TRACE_SELECT, traceRow } from '../../entities/traces/model.ts';
import { readTraceTransactions } from '../../entities/traces/transactions.ts';
import { toTuples } from '../../query/keys.ts';
import type { ReadScope } from '../../query/scope.ts';
import { identifier, sql } from '../../query/sql.ts';
import { type ChangedTrace, isChanged } from '../step-changes.ts';
import { type Addressed, type Draft, writeEvents } from '../stream-event.ts';
import type { Subscribed, SubscriptionIndex } from '../subscription-index.ts';
import { actionsContent, type LoadedTrace, traceContent } from '../trace-contents.ts';
import type { CorrectedTrace } from './corrected-traces.ts';
import { correctionText } from './correction-place.ts';

/** Events that a correction makes. */
const TYPES = [
  ['actions', actionsContent],
  ['trace', traceContent],
] as const;
/** They have no place in the chain. */
const NO_POSITION = { seqno: 0, ordinal: 0 } as const;

/** A corrected trace as it is stored now, and its events for those who want them. */
export interface CorrectedEvents<T extends Subscribed> {
  readonly corrected: CorrectedTrace;
  readonly trace: LoadedTrace;
  readonly events: readonly Addressed<T>[];
}

/**
 * Events `actions` and `trace` of corrected traces, with `corrected: true`, in the order of the traces. Those that no
 * external message began, or that are too large to be shown, are absent.
 */
export async function correctedEvents<T extends Subscribed>(
  scope: ReadScope<'base' | 'traces' | 'actions'>,
  traces: readonly CorrectedTrace[],
  index: SubscriptionIndex<T>,
): Promise<readonly CorrectedEvents<T>[]> {
  const found = await loadTraces(scope, traces, index);
  const drafted = found.map((one) => ({ ...one, drafts: buildDrafts(one.corrected, one.trace, index) }));
  const written = await writeEvents(
    scope,
    drafted.flatMap(({ drafts }) => drafts),
  );
  let next = 0;
  return drafted.map(({ drafts, ...one }) => {
    next += drafts.length;
    return { ...one, events: written.slice(next - drafts.length, next) };
  });
}

/** The traces with their stored actions; their transactions only if somebody wants the whole trace. */
async function loadTraces<T extends Subscribed>(
  scope: ReadScope<'base' | 'traces' | 'actions'>,
  traces: readonly CorrectedTrace[],
  index: SubscriptionIndex<T>,
) {
  const changes = await readChanges(scope, traces);
  const rows = [...changes.values()].map(({ row }) => row);
  const wanted = [...changes.values()].filter(({ hashNorm }) => index.byHash(hashNorm).size > 0);
  const [actions, transactions] = await Promise.all([
    readActionsOfTraces(scope, rows),
    readTraceTransactions(
      scope,
      wanted.map(({ row }) => row),
    ),
  ]);
  return traces.flatMap((corrected) => {
    const change = changes.get(toKey(corrected.place.seqno, corrected.trace8));
    if (!change) return [];
    const trace: LoadedTrace = {
      change,
      rows: transactions.get(change.row) ?? [],
      actions: actions.get(change.row.trace_id) ?? [],
      context: scope.context,
      isCorrected: true,
    };
    return [{ corrected, trace }];
  });
}

const toKey = (seqno: number, trace8: string): string => `${seqno} ${trace8}`;

/** The traces as of the step that completed them. */
async function readChanges(
  { databases, query }: ReadScope<'base' | 'traces' | 'actions'>,
  traces: readonly CorrectedTrace[],
): Promise<ReadonlyMap<string, ChangedTrace>> {
  const steps = traces.map(({ place }) => place.seqno);
  const range = { first: Math.min(...steps), last: Math.max(...steps) };
  const keys = traces.map(({ place, trace8 }) => [BigInt(place.seqno), trace8]);
  const rows = await query(
    sql`SELECT mc_seqno, base64Encode(external_hash_norm), ${TRACE_SELECT} FROM ${identifier(databases.traces, 'traces')} WHERE ${isChanged(range)} AND (mc_seqno, trace8) IN ${toTuples(keys)}`,
  );
  return new Map(
    rows.map(([step, norm, ...values]) => {
      const [seqno, row] = [Number(step), traceRow(values)];
      const change = { seqno, ordinal: 0, row, hashNorm: norm as string, accounts: new Set<string>() };
      return [toKey(seqno, row.trace8), change] as const;
    }),
  );
}

function buildDrafts<T extends Subscribed>(
  { place }: CorrectedTrace,
  trace: LoadedTrace,
  index: SubscriptionIndex<T>,
): readonly Draft<T>[] {
  const subscribed = {
    actions: index.byAddress('actions', new Set(trace.actions.flatMap(({ accounts }) => accounts))),
    trace: [...index.byHash(trace.change.hashNorm)].filter(({ subscription }) =>
      subscription.types.has('trace'),
    ),
  };
  return TYPES.flatMap(([type, buildContent]) =>
    [...subscribed[type]].flatMap((to) => {
      const content = buildContent(trace, to.subscription);
      if (!content) return [];
      const key = `${type} ${correctionText(place)} ${content.key}`;
      return [{ ...content, to, position: NO_POSITION, key }];
    }),
  );
}
