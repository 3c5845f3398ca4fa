import type { Page } from '../../query/page.ts';
import type { ReadScope } from '../../query/scope.ts';
import type { VisibleRange } from '../../version-vector.ts';
import { readWindowFloor } from '../blocks/window-floor.ts';
import { isScannedByTime, type TransactionFilter, type TransactionPlace } from './filter.ts';

/** Adds a scan to the filters of a list of transactions: its place, and bounds by which the place is found. */
export async function scanBounds(
  scope: ReadScope,
  filter: TransactionFilter,
  { descending }: Pick<Page, 'descending'>,
  { after, visible }: { readonly after: TransactionPlace | null; readonly visible: VisibleRange },
): Promise<TransactionFilter> {
  const scan = { after, descending };
  if (after) return { ...filter, ...timeBounds(filter, after, descending), scan };
  if (descending || scope.visible.first === visible.first) return { ...filter, scan };
  const floor = await readWindowFloor(scope);
  if (!floor) return { ...filter, scan };
  const startLt = later(filter.startLt, floor.startLt);
  if (!isScannedByTime(filter)) return { ...filter, startLt, scan };
  return { ...filter, startLt, startUtime: later(filter.startUtime, floor.startUtime), scan };
}

/** A list by time ends or begins at the place: stretches of time before it are not searched again. */
function timeBounds(
  filter: TransactionFilter,
  { now }: TransactionPlace,
  descending: boolean,
): Pick<TransactionFilter, 'startUtime' | 'endUtime'> {
  if (!isScannedByTime(filter)) return {};
  if (!descending) return { startUtime: later(filter.startUtime, now) };
  return { endUtime: filter.endUtime === undefined ? now : Math.min(filter.endUtime, now) };
}

function later<T extends number | bigint>(given: T | undefined, found: T): T {
  return given !== undefined && given > found ? given : found;
}
