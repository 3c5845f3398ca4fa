import type { Page } from '../../query/page.ts';
import type { ReadScope } from '../../query/scope.ts';
import { isImpossible } from '../blocks/filter.ts';
import type { TraceFilter } from './filter.ts';
import { isOrderedByTime, namesTraces } from './filter.ts';
import { type CandidatePage, findNamedTraces, readIndexedCandidates } from './indexed-traces.ts';
import { type TraceRow, traceRow } from './model.ts';
import { planNamedTraces, planTraceCandidates, type TraceList } from './plan.ts';

/** Candidates for each trace of a page, and spare ones. */
const PER_TRACE = 4;
const OVERFETCH = 200;
/** Factor of the next read if the first candidates did not settle the page. */
const MORE = 8;
/**
 * Logical time of about fifty masterchain blocks: a trace of the account ends at most this far after its transaction
 * there, and the orders of lt and time differ by no more.
 */
const SLACK = 50_000_000n;

/**
 * Traces of a filter as of the visible range, by their end (v3-endpoints.md 4.1). At most one statement if the filter
 * names traces; otherwise two in parallel, or one if the look-up index has the traces; more if the first candidates do not settle the page. In a descending list of an
 * account, a trace that ends more than fifty masterchain blocks after the account's last part may be missing from
 * earlier pages.
 */
export async function readTraces(
  scope: ReadScope<'base' | 'traces'>,
  filter: TraceFilter,
  page: Page,
): Promise<readonly TraceRow[]> {
  if (isImpossible(filter)) return [];
  const list = { databases: scope.databases, filter, page, visible: scope.visible };
  if (namesTraces(filter)) {
    const indexed = findNamedTraces(scope, filter, page);
    if (indexed) return indexed;
    return (await scope.query(planNamedTraces(list))).map(traceRow);
  }
  for (let wanted = (page.limit + page.offset) * PER_TRACE + OVERFETCH; ; wanted *= MORE) {
    const { traces, count, edge } =
      (await readIndexedCandidates(scope, list, wanted)) ?? (await readCandidates(scope, list, wanted));
    if (count < wanted || isSettled(traces, filter, page, edge)) return traces;
  }
}

async function readCandidates(
  scope: ReadScope<'base' | 'traces'>,
  list: TraceList,
  wanted: number,
): Promise<CandidatePage> {
  const plan = planTraceCandidates(list, wanted);
  const [rows, [edge]] = await Promise.all([scope.query(plan.traces), scope.query(plan.edge)]);
  const [count, lt] = (edge ?? [0, '0']) as [number, string];
  return { traces: rows.map(traceRow), count, edge: BigInt(lt) };
}

/** Whether nothing beyond the last candidate can belong on the page. */
function isSettled(traces: readonly TraceRow[], filter: TraceFilter, page: Page, edge: bigint): boolean {
  if (traces.length < page.limit) return false;
  const ends = traces.map(({ end_lt: lt }) => BigInt(lt));
  const byTime = isOrderedByTime(filter);
  if (page.descending) {
    const slack = byTime || filter.account ? SLACK : 0n;
    return ends.every((end) => end > edge + slack);
  }
  return ends.every((end) => end < edge - (byTime ? SLACK : 0n));
}
