import { LT_SLACK, type Page } from '../../query/page.ts';
import type { ReadScope } from '../../query/scope.ts';
import { findByMessageHash } from '../transactions/by-message.ts';
import { type ActionFilter, type ActionPlace, isByTime } from './filter.ts';
import { findActions, type IndexedAction, typeFilter } from './indexed-actions.ts';
import { findListedActions } from './indexed-lists.ts';
import { type ActionRow, actionRow } from './model.ts';
import { planActionCandidates, planActionFloor, planActions } from './plan.ts';

/** Candidates for each action of a page, and spare ones. */
const PER_ACTION = 4;
const OVERFETCH = 1_000;
/** Factor of the next read if the first candidates did not settle the page. */
const MORE = 8;

/**
 * Actions of a filter, by the end of their trace (v3-endpoints.md 4.3). No statement if the look-up index has those of named
 * traces, of an account or of a stretch of lt, else one; by time two in parallel, and more if the first candidates do not
 * settle the page.
 */
export async function readActions(
  scope: ReadScope<'base' | 'actions'>,
  filter: ActionFilter,
  page: Page,
): Promise<readonly ActionRow[]> {
  const indexed = findNamed(scope, filter, page) ?? findListedActions(scope, filter, page);
  if (indexed) return indexed;
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

/** A page of the actions of named traces from the look-up index; null: statements have to find it. */
function findNamed(
  scope: ReadScope<'base' | 'actions'>,
  { traces, txHashes = [], msgHashes = [], types, ...others }: ActionFilter,
  { descending, offset, limit }: Page,
): readonly ActionRow[] | null {
  const isFiltered = Object.values(others).some(
    (one) => one !== undefined && !(Array.isArray(one) && one.length === 0),
  );
  const found = traces && !isFiltered ? findActions(scope, traces) : null;
  const ends = found && msgHashes.length > 0 && findByMessageHash(scope, { hashes: msgHashes });
  if (!found || ends === null) return null;
  const lists = [
    ...(txHashes.length > 0 ? [txHashes.map((hash) => Buffer.from(hash, 'hex').toString('base64'))] : []),
    ...(ends ? [ends.map(({ hash }) => hash)] : []),
  ].map((hashes) => new Set(hashes));
  const isShown = typeFilter(types);
  const isListed = (one: IndexedAction) =>
    isShown(one) && lists.every((list) => one.row.txHashes.some((hash) => list.has(hash)));
  const rows = found.filter(isListed).map(({ row }) => row);
  return (descending ? rows.toReversed() : rows).slice(offset, offset + limit);
}

/** Whether nothing beyond the last candidate can belong on the page. */
function isSettled(actions: readonly ActionRow[], { limit, descending }: Page, edge: bigint): boolean {
  if (actions.length < limit) return false;
  return actions.every(({ traceEndLt }) =>
    descending ? BigInt(traceEndLt) > edge + LT_SLACK : BigInt(traceEndLt) < edge - LT_SLACK,
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
