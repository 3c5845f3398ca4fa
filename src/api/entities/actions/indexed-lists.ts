import { ACTION_ACCOUNT_TARGET } from '../../../tables/actions/actions.ts';
import { getLookUp, keyBuilder } from '../../../tables/look-ups/look-ups.ts';
import type { IndexedRow, LookUps } from '../../look-up-port.ts';
import { findKnown, lackRows } from '../../query/known-rows.ts';
import { type Keys, keysAfter, keysWith } from '../../query/look-ups.ts';
import type { Page } from '../../query/page.ts';
import { isVisible, type ReadScope } from '../../query/scope.ts';
import { type ActionFilter, type ActionPlace, isByTime } from './filter.ts';
import { ACCOUNT_BYTES, OF_TRACE, openActions, readAction, typeFilter } from './indexed-actions.ts';
import type { ActionRow } from './model.ts';

const OF_ACCOUNT = getLookUp(ACTION_ACCOUNT_TARGET, 'actions_of_account');
const toKey = keyBuilder(OF_TRACE);
const toAccountKey = keyBuilder(OF_ACCOUNT);
/** Rows that one page reads at most: more would hold up other answers. */
const MAX_ROWS = 400;
/** Rows that are read for a page which lacks fewer. */
const MIN_READ = 8;
const MAX_LT = 2n ** 64n - 1n;

/** A page of the actions of an account, or of all, by lt, from the look-up index. Null: statements have to find it. */
export function findListedActions(
  scope: ReadScope<'base' | 'actions'>,
  filter: ActionFilter,
  { descending, offset, limit }: Page,
): readonly ActionRow[] | null {
  const lookUps = isListed(filter) ? openActions(scope) : null;
  const known = lookUps?.has(OF_ACCOUNT.lookUp.name) ? findKnown(scope, lookUps, scope.visible) : null;
  if (!lookUps || !known) return null;
  // A part of the list is known, perhaps without its beginning.
  const isPart = known.lt > (filter.startLt ?? 0n);
  if (isPart && !descending) return lackRows(lookUps, scope.visible);
  const least = isPart ? { startLt: known.lt } : {};
  const isShown = typeFilter(filter.types);
  const rows: ActionRow[] = [];
  let read = 0;
  for (let bounds = toBounds({ ...filter, ...least }); rows.length < offset + limit; ) {
    const wanted = Math.max(MIN_READ, offset + limit - rows.length);
    read += wanted;
    if (read > MAX_ROWS) return null;
    const found = readPart(lookUps, filter, { ...bounds, isFalling: descending }, wanted);
    if (!found) return null;
    for (const { action } of found) {
      if (!isVisible(action.step, scope.visible)) continue;
      const one = readAction(action);
      if (isShown(one)) rows.push(one.row);
    }
    const last = found.at(-1)?.key;
    if (!last || found.length < wanted) {
      if (isPart && rows.length < offset + limit) return lackRows(lookUps, scope.visible);
      break;
    }
    bounds = keysAfter(bounds, last, descending);
  }
  return rows.slice(offset, offset + limit);
}

/** Whether a filter leaves a stretch of a list, rather than naming actions or their times. */
function isListed(filter: ActionFilter): boolean {
  const { traces, txHashes = [], msgHashes = [], actionIds = [], mcSeqno } = filter;
  const isNamed = traces !== undefined || [txHashes, msgHashes, actionIds].some(({ length }) => length > 0);
  return !isNamed && mcSeqno === undefined && !isByTime(filter);
}

/** Keys of the list that a filter leaves. */
function toBounds({ account, startLt = 0n, endLt = MAX_LT, scan }: ActionFilter): Keys {
  const own = account ? toAccountKey(Buffer.from(account.hash, 'hex'), account.workchain) : Buffer.alloc(0);
  const of = (key: Buffer) => Buffer.concat([own, key]);
  const bounds = { from: of(toKey(startLt)), below: keysWith(of(toKey(endLt))).below };
  if (!scan?.after) return bounds;
  const place = of(toPlaceKey(scan.after));
  const isBefore = scan.descending
    ? Buffer.compare(place, bounds.below) >= 0
    : Buffer.compare(place, bounds.from) < 0;
  return isBefore ? bounds : keysAfter(bounds, place, scan.descending);
}

function toPlaceKey({ traceEndLt, trace8, endLt, actionId }: ActionPlace): Buffer {
  return toKey(BigInt(traceEndLt), BigInt(trace8), BigInt(endLt), Buffer.from(actionId, 'hex'));
}

/** Actions with their keys in the list; null if one is not in the index. */
function readPart(
  lookUps: LookUps,
  { account }: ActionFilter,
  bounds: Keys & { readonly isFalling: boolean },
  limit: number,
): readonly { readonly key: Uint8Array; readonly action: IndexedRow }[] | null {
  const { name } = OF_TRACE.lookUp;
  if (!account) return lookUps.range(name, bounds, limit).map((action) => ({ key: action.key, action }));
  const found: { key: Uint8Array; action: IndexedRow }[] = [];
  for (const { key } of lookUps.range(OF_ACCOUNT.lookUp.name, bounds, limit)) {
    const action = lookUps.get(name, key.subarray(ACCOUNT_BYTES));
    if (!action) return null;
    found.push({ key, action });
  }
  return found;
}
