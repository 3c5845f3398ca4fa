import type { Page } from '../../query/page.ts';
import type { ReadScope } from '../../query/scope.ts';
import { type ActionFilter, type ActionPlace, isByTime } from './filter.ts';
import { type ActionRow, actionRow } from './model.ts';
import { planActionCandidates, planActionFloor, planActions } from './plan.ts';

/** Candidates for each action of a page, and spare ones. */
const PER_ACTION = 4;
const OVERFETCH = 1_000;
/** Factor of the next read if the first candidates did not settle the page. */
const MORE = 8;
/** The orders of lt and time differ by no more (some fifty masterchain blocks). */
const SLACK = 50_000_000n;

/**
 * Actions of a filter, by the end of their trace (v3-endpoints.md 4.3). One statement; by time two in parallel, and
 * more if the first candidates do not settle the page.
 */
export async function readActions(
  scope: ReadScope<'base' | 'actions'>,
  filter: ActionFilter,
  page: Page,
): Promise<readonly ActionRow[]> {
  const list = { databases: scope.databases, filter, page, visible: scope.visible };
  if (!isByTime(filter)) return (await scope.query(planActions(list))).map(actionRow);
  for (let wanted = (page.limit + page.offset) * PER_ACTION + OVERFETCH; ; wanted *= MORE) {
    const plan = planActionCandidates(list, wanted);
    const [rows, [edge]] = await Promise.all([scope.query(plan.actions), scope.query(plan.edge)]);
    const [count, lt] = (edge ?? [0, '0']) as [number, string];
    const actions = rows.map(actionRow);
    if (count < wanted || isSettled(actions, page, BigInt(lt))) return actions;
  }
}

/** Whether nothing beyond the last candidate can belong on the page. */
function isSettled(actions: readonly ActionRow[], { limit, descending }: Page, edge: bigint): boolean {
  if (actions.length < limit) return false;
  return actions.every(({ traceEndLt }) =>
    descending ? BigInt(traceEndLt) > edge + SLACK : BigInt(traceEndLt) < edge - SLACK,
  );
}

/** One page of a scan; the scope sees only its steps. `isLater`: they follow scanned steps. */
export async function scanActions(
  scope: ReadScope<'base' | 'actions'>,
  filter: ActionFilter,
  page: Page,
  { after, isLater }: { readonly after: ActionPlace | null; readonly isLater: boolean },
): Promise<readonly ActionRow[]> {
  const scanned = { ...filter, scan: { after, descending: page.descending } };
  if (!isLater || after) return readActions(scope, scanned, page);
  const [[floor] = ['0']] = await scope.query(planActionFloor(scope.databases.actions, scope.visible));
  const { startLt = 0n } = filter;
  const least = BigInt(String(floor));
  return readActions(scope, { ...scanned, startLt: startLt > least ? startLt : least }, page);
}
