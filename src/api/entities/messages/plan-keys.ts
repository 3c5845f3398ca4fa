import { type Page, toLimit, way } from '../../query/page.ts';
import { and, join, type Sql, sql, u32, u64 } from '../../query/sql.ts';
import type { TimeWindow } from '../blocks/time-window.ts';
import { getSegments, isOrderedByTime, type MessageFilter } from './filter.ts';
import { MESSAGES } from './key.ts';
import type { MessageSource } from './paths.ts';

/** Substitute for the base64 text of a hash in the order of a list: the text of its first 8 bytes. */
const TEXT = sql`base64Encode(reverse(reinterpretAsFixedString(hash8)))`;
/** The order of the tables. */
const BY_KEY = MESSAGES.order(['createdLt', 'page'], ['hash8', 'page']);

/**
 * Keys of a list of messages in order (v3-endpoints.md 2.10): by creation lt, external-in messages (which have none)
 * first in a descending list and last in an ascending one; by creation time with a bound of time.
 */
export function planMessageKeys(
  source: MessageSource,
  filter: MessageFilter,
  page: Page,
  window: TimeWindow | null = null,
): Sql {
  if (filter.scan) return byKey(source, filter, page);
  return isOrderedByTime(filter) ? byTime(source, page, window) : byLogicalTime(source, filter, page);
}

function byTime({ table, where }: MessageSource, page: Page, window: TimeWindow | null): Sql {
  const own = and(where, sql`created_lt > 0`, window && isBeforeFarEdge(page, window));
  const dir = way(page);
  return sql`SELECT created_lt, hash8 FROM ${table} WHERE ${own} ORDER BY created_at ${dir}, ${TEXT} ${dir}, created_lt ${dir} LIMIT 1 BY created_at, hash8, created_lt ${toLimit(page)}`;
}

/**
 * Bounds a list by the far edge of its window only: beyond the near edge there may be messages whose senders are not
 * indexed, namely at the index's beginning.
 */
function isBeforeFarEdge({ descending }: Page, { startLt, endLt, startUtime, endUtime }: TimeWindow): Sql {
  if (descending) return sql`created_lt >= ${u64(startLt)} AND created_at >= ${u32(startUtime)}`;
  return sql`created_lt <= ${u64(endLt)} AND created_at <= ${u32(endUtime)}`;
}

/** A page of a scan, in the order of the tables: external-in messages come where their lt 0 puts them. */
function byKey({ table, where }: MessageSource, filter: MessageFilter, page: Page): Sql {
  const { after, isAfterIncluded = false } = filter.scan ?? {};
  const { external, dated } = getSegments(filter);
  const own = and(
    where,
    !external && sql`created_lt > 0`,
    !dated && sql`created_lt = 0`,
    after && BY_KEY.after(after, page.descending, isAfterIncluded),
  );
  return sql`SELECT created_lt, hash8 FROM ${table} WHERE ${own} ORDER BY ${BY_KEY.by(page.descending)} LIMIT 1 BY created_lt, hash8 ${toLimit(page)}`;
}

function byLogicalTime({ table, where }: MessageSource, filter: MessageFilter, page: Page): Sql {
  const dir = way(page);
  const most = sql`${u32(page.limit)} + ${u32(page.offset)}`;
  const { external, dated } = getSegments(filter);
  const segment = (lt: Sql) =>
    sql`(SELECT created_lt, hash8 FROM ${table} WHERE ${where} AND ${lt} ORDER BY created_lt ${dir}, ${TEXT} ${dir} LIMIT 1 BY created_lt, hash8 LIMIT ${most})`;
  const segments = [
    ...(external ? [segment(sql`created_lt = 0`)] : []),
    ...(dated ? [segment(sql`created_lt > 0`)] : []),
  ];
  const from = segments.length > 0 ? join(segments, ' UNION ALL ') : segment(sql`0`);
  return sql`SELECT created_lt, hash8 FROM (${from}) ORDER BY created_lt = 0 ${dir}, created_lt ${dir}, ${TEXT} ${dir} ${toLimit(page)}`;
}
