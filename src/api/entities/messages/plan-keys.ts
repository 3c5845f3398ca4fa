import { direction, type Page } from '../../query/page.ts';
import type { Conditions, Statement } from '../../query/statement.ts';
import type { TimeWindow } from '../blocks/time-window.ts';
import { getSegments, isOrderedByTime, type MessageFilter } from './filter.ts';
import type { MessageSource } from './paths.ts';

/** Substitute for the base64 text of a hash in the order of a list: the text of its first 8 bytes. */
const TEXT = 'base64Encode(reverse(reinterpretAsFixedString(hash8)))';

/**
 * Keys of a list of messages in order (v3-endpoints.md 2.10): by creation lt, external-in messages (which have none)
 * first in a descending list and last in an ascending one; by creation time with a bound of time.
 */
export function planMessageKeys(
  source: MessageSource,
  filter: MessageFilter,
  page: Page,
  window: TimeWindow | null = null,
): Statement {
  const { conditions } = source;
  conditions.bind({ limit: page.limit, offset: page.offset });
  if (filter.scan) return conditions.statement(byKey(source, filter, page));
  if (isOrderedByTime(filter)) return conditions.statement(byTime(source, page, window));
  return conditions.statement(byLogicalTime(source, filter, page));
}

function byTime({ table, conditions }: MessageSource, page: Page, window: TimeWindow | null): string {
  conditions.add('created_lt > 0');
  if (window) addFarEdge(conditions, page, window);
  const dir = direction(page);
  return (
    `SELECT created_lt, hash8 FROM ${table} WHERE ${conditions.text}` +
    ` ORDER BY created_at ${dir}, ${TEXT} ${dir}, created_lt ${dir} LIMIT 1 BY created_at, hash8, created_lt LIMIT {limit:UInt32} OFFSET {offset:UInt32}`
  );
}

/**
 * Bounds a list by the far edge of its window only: beyond the near edge there may be messages whose senders are not
 * indexed, namely at the index's beginning.
 */
function addFarEdge(conditions: Conditions, page: Page, window: TimeWindow): void {
  if (page.descending) {
    conditions
      .add('created_lt >= {window_start_lt:UInt64}', { window_start_lt: window.startLt })
      .add('created_at >= {window_start:UInt32}', { window_start: window.startUtime });
  } else {
    conditions
      .add('created_lt <= {window_end_lt:UInt64}', { window_end_lt: window.endLt })
      .add('created_at <= {window_end:UInt32}', { window_end: window.endUtime });
  }
}

/** A page of a scan, in the order of the tables: external-in messages come where their lt 0 puts them. */
function byKey({ table, conditions }: MessageSource, filter: MessageFilter, page: Page): string {
  const dir = direction(page);
  const { scan } = filter;
  const { external, dated } = getSegments(filter);
  if (!external) conditions.add('created_lt > 0');
  if (!dated) conditions.add('created_lt = 0');
  if (scan?.after) {
    const sign = page.descending ? '<' : '>';
    conditions.add(
      `created_lt ${sign}= {after_lt:UInt64} AND (created_lt, hash8) ${sign}${scan.isAfterIncluded ? '=' : ''} ({after_lt:UInt64}, {after_hash:UInt64})`,
      { after_lt: scan.after.createdLt, after_hash: scan.after.hash8 },
    );
  }
  return `SELECT created_lt, hash8 FROM ${table} WHERE ${conditions.text} ORDER BY created_lt ${dir}, hash8 ${dir} LIMIT 1 BY created_lt, hash8 LIMIT {limit:UInt32} OFFSET {offset:UInt32}`;
}

function byLogicalTime({ table, conditions }: MessageSource, filter: MessageFilter, page: Page): string {
  const dir = direction(page);
  const { external, dated } = getSegments(filter);
  const segment = (lt: string) =>
    `(SELECT created_lt, hash8 FROM ${table} WHERE ${conditions.text} AND ${lt}` +
    ` ORDER BY created_lt ${dir}, ${TEXT} ${dir} LIMIT 1 BY created_lt, hash8 LIMIT {limit:UInt32} + {offset:UInt32})`;
  const segments = [
    ...(external ? [segment('created_lt = 0')] : []),
    ...(dated ? [segment('created_lt > 0')] : []),
  ];
  const from = segments.length > 0 ? segments.join(' UNION ALL ') : segment('0');
  return `SELECT created_lt, hash8 FROM (${from}) ORDER BY created_lt = 0 ${dir}, created_lt ${dir}, ${TEXT} ${dir} LIMIT {limit:UInt32} OFFSET {offset:UInt32}`;
}
