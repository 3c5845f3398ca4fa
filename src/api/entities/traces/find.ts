import type { Page } from '../../query/page.ts';
import type { ReadScope } from '../../query/scope.ts';
import { isImpossible } from '../blocks/filter.ts';
import type { TraceFilter } from './filter.ts';
import { namesTraces } from './filter.ts';
import { findListedTraces } from './indexed-lists.ts';
import { findNamedTraces } from './indexed-traces.ts';
import { type TraceRow, traceRow } from './model.ts';
import { planNamedTraces, planTraceCandidates } from './plan.ts';
import { isSettled } from './settled.ts';

/** Candidates for each trace of a page, and spare ones. */
const PER_TRACE = 4;
const OVERFETCH = 200;
/** Factor of the next read if the first candidates did not settle the page. */
const MORE = 8;
/**
 * Traces of a filter as of the visible range, by their end (v3-endpoints.md 4.1). No statement if the look-up index has
 * them, else one if the filter names traces; otherwise two in parallel, and more if the first candidates do not settle the
 * page. In a descending list of an account, a trace that ends more than fifty masterchain blocks after the account's last
 * part may be missing from earlier pages.
 */
export async function readTraces(
  scope: ReadScope<'base' | 'traces'>,
  filter: TraceFilter,
  page: Page,
): Promise<readonly TraceRow[]> {
  if (isImpossible(filter)) return [];
  const list = { databases: scope.databases, filter, page, visible: scope.visible };
  if (namesTraces(filter))
    return findNamedTraces(scope, filter, page) ?? (await scope.query(planNamedTraces(list))).map(traceRow);
  const indexed = findListedTraces(scope, list);
  if (indexed) return indexed;
  for (let wanted = (page.limit + page.offset) * PER_TRACE + OVERFETCH; ; wanted *= MORE) {
    const plan = planTraceCandidates(list, wanted);
    const [rows, [edge]] = await Promise.all([scope.query(plan.traces), scope.query(plan.edge)]);
    const [count, lt] = (edge ?? [0, '0']) as [number, string];
    const traces = rows.map(traceRow);
    const ends = traces.map(({ end_lt: end }) => BigInt(end));
    if (count < wanted || isSettled(ends, filter, page, BigInt(lt))) return traces;
  }
}
