import { LRUCache } from 'lru-cache';
import { answerCache } from '../../query/answer-cache.ts';
import type { Page } from '../../query/page.ts';
import type { ReadScope } from '../../query/scope.ts';
import { and, sql, u64 } from '../../query/sql.ts';
import { readTimeWindow, type TimeWindow } from '../blocks/time-window.ts';
import { getSegments, isOrderedByTime, type MessageFilter } from './filter.ts';
import { type HashRange, outermostTexts } from './hash-text-order.ts';
import { type MessageKey, messageKey } from './key.ts';
import { messageSource } from './paths.ts';
import { planMessageKeys } from './plan-keys.ts';

/** Factor of the next stretch of time if one held too few. */
const GROWTH = 64;
/** The share of the externals that is looked at first: 64 to the power of minus so many. */
const FIRST_DEPTH = 3;

interface Window {
  readonly time?: TimeWindow | null;
  readonly hashes?: HashRange;
}

/** Keys of a page of messages, in the order of v3-endpoints.md 2.10; ties by the base64 text of the hash. */
export function readMessageKeys(
  scope: ReadScope,
  filter: MessageFilter,
  page: Page,
): Promise<readonly MessageKey[]> {
  if (filter.scan) return read(scope, filter, page);
  return isOrderedByTime(filter) ? readByTime(scope, filter, page) : readByLogicalTime(scope, filter, page);
}

async function read(
  scope: ReadScope,
  filter: MessageFilter,
  page: Page,
  { time = null, hashes }: Window = {},
): Promise<readonly MessageKey[]> {
  const source = messageSource(scope.databases.base, filter, scope.visible);
  const range = hashes && sql`hash8 >= ${u64(hashes.from)} AND hash8 <= ${u64(hashes.to)}`;
  const narrowed = { ...source, where: and(source.where, range) };
  return (await scope.query(planMessageKeys(narrowed, filter, page, time))).map(messageKey);
}

/** Lists by time that no account narrows are searched in growing stretches of time. */
async function readByTime(scope: ReadScope, filter: MessageFilter, page: Page) {
  const { path } = messageSource(scope.databases.base, filter, scope.visible);
  // Isolated blocks show nothing about the senders of their messages.
  const related = !scope.context.network.isolated;
  if (!related || !(path === 'all' || path === 'opcode' || path === 'body')) return read(scope, filter, page);
  const blocks = bounds(filter);
  const { descending } = page;
  const first = (page.limit + page.offset) * 2 + 100;
  for (const need of [first, first * GROWTH]) {
    const time = await readTimeWindow(scope, blocks, { need, descending });
    if (!time || time.transactions < need) break;
    const keys = await read(scope, filter, page, { time });
    if (keys.length === page.limit) return keys;
  }
  return read(scope, filter, page);
}

function bounds({ startUtime, endUtime }: MessageFilter): { startUtime?: number; endUtime?: number } {
  return {
    ...(startUtime === undefined ? {} : { startUtime }),
    ...(endUtime === undefined ? {} : { endUtime }),
  };
}

/**
 * External-in messages have no lt: all of them are a tie, in an order that no table has. A page without them does not
 * read them; if they come first without a filter, those with the outermost texts are read until they fill it.
 */
async function readByLogicalTime(scope: ReadScope, filter: MessageFilter, page: Page) {
  const { path } = messageSource(scope.databases.base, filter, scope.visible);
  const { external, dated } = getSegments(filter);
  if (path !== 'all' || !external) return read(scope, filter, page);
  if (dated && !page.descending) {
    const keys = await read(scope, { ...filter, externals: 'exclude' }, page);
    if (keys.length === page.limit) return keys;
  } else {
    const keys = await readOutermost(scope, filter, page);
    if (keys) return keys;
  }
  return read(scope, filter, page);
}

/** How small a share of the external-in messages filled a page, by the end of their order. */
const getDepths = answerCache(() => new LRUCache<string, number>({ max: 2, ttl: 60_000 }));

async function readOutermost(scope: ReadScope, filter: MessageFilter, page: Page) {
  const depths = getDepths(scope);
  const name = page.descending ? 'last' : 'first';
  for (let depth = depths.get(name) ?? FIRST_DEPTH; depth > 0; ) {
    const hashes = outermostTexts(depth, page.descending);
    const keys = await read(scope, { ...filter, externals: 'only' }, page, { hashes });
    if (keys.length === page.limit) {
      depths.set(name, depth);
      return keys;
    }
    depth = nextDepth(depth, keys.length, page);
  }
  return null;
}

/** The share whose messages fill a page, twice over, by how many a smaller share had beyond the page's offset; below 1: all. */
function nextDepth(depth: number, found: number, { limit, offset }: Page): number {
  // If the small share had none there are few messages, and a 64th of them is a short read.
  if (found === 0) return Math.min(depth - 1, 1);
  const missing = (2 * (offset + limit)) / (offset + found);
  return depth - Math.max(1, Math.ceil(Math.log(missing) / Math.log(64)));
}
