import { expect } from 'vitest';
import type { ClampedApi } from './clamped-api.ts';

type Fields = Record<string, unknown>;

/** GET of a path below /api/v3. */
type Get = (path: string) => Promise<{ readonly status: number; readonly json: unknown }>;

/** A list that does not change meanwhile, and what is tried on it. */
export interface ScannedList {
  /** Path and filters, below /api/v3. */
  readonly path: string;
  /** Key of its rows in an answer. */
  readonly key: string;
  readonly of: (row: Fields) => string;
  /** Other lists of the path, by order or filters: each has a parameter at least. */
  readonly others: readonly string[];
  /** How many rows it has at least. */
  readonly least: number;
  /** True if a scan waits for more after the last row. */
  readonly isResumable?: boolean;
  /** Whether it takes no offset, and has nothing to be compared with but itself. */
  readonly isByCursorAlone?: true;
}

/** A cursor of `/blocks`, which no other list takes. */
const FOREIGN = 'cursor is not one that this list gave';
const OTHER = 'cursor was given for other parameters: only limit may change from page to page';

/**
 * Pages of a few rows through cursors equal one long page, in order, each row once, and the list by offset. Any other
 * text is refused as a cursor.
 */
export async function expectScan(get: Get, list: ScannedList): Promise<void> {
  const { path, key, of, others, least } = list;
  const ask = (more: string, of = path) => get(`${of}${of.includes('?') ? '&' : '?'}${more}`);
  const page = async (more: string) => {
    const { status, json } = await ask(more);
    expect([path, more, status], JSON.stringify(json)).toEqual([path, more, 200]);
    const answer = (Array.isArray(json) ? { [key]: json } : json) as Fields;
    return { rows: (answer[key] as Fields[]).map(of), next: answer.next_cursor as string | null | undefined };
  };
  const whole = await page('limit=1000&cursor=');
  expect({ path, isResumable: typeof whole.next === 'string' }).toEqual({
    path,
    isResumable: list.isResumable ?? false,
  });
  expect({ path, rows: whole.rows.length }).toEqual({
    path,
    rows: expect.toSatisfy((rows: number) => rows >= least),
  });
  if (!list.isByCursorAlone)
    expect({ path, rows: (await page('limit=1000')).rows.sort() }).toEqual({
      path,
      rows: whole.rows.toSorted(),
    });
  for (const limit of limitsFor(whole.rows.length)) {
    const found: string[] = [];
    for (let cursor = ''; ; ) {
      const { rows, next } = await page(`limit=${limit}&cursor=${cursor}`);
      found.push(...rows);
      // An endless list is a failure, not a wait.
      if (!next || rows.length === 0 || found.length > whole.rows.length) break;
      cursor = next;
    }
    expect({ path, limit, rows: found }).toEqual({ path, limit, rows: whole.rows });
  }
  const { next } = await page('limit=1&cursor=');
  const { json: blocks } = await get('blocks?limit=1&cursor=&sort=asc');
  const foreign = (blocks as Fields | undefined)?.next_cursor;
  const refused = async (reply: ReturnType<Get>, error: string) => {
    const { status, json } = await reply;
    expect([path, status, json]).toEqual([path, 422, { code: 422, error }]);
  };
  if (!list.isByCursorAlone) await refused(ask('cursor=&offset=1'), 'cursor and offset exclude each other');
  await refused(ask(`cursor=${foreign ?? 'AAAA'}`), FOREIGN);
  if (!next) return;
  await refused(ask(`cursor=${next}x`), FOREIGN);
  for (const other of others) await refused(ask(`cursor=${next}`, other), OTHER);
}

/** A list of an index that grows between the pages. */
export interface GrowingList extends Pick<ScannedList, 'path' | 'key' | 'of'> {
  /** Last visible steps: of the first page, the second, and so on; the last one of all further pages. */
  readonly stages: readonly number[];
  /** Whether a scan goes on with what came meanwhile; else it ends with what was there at its first page. */
  readonly isResumable?: boolean;
}

/**
 * A scan of a growing index gives the rows of its first page's time, in the order of one long page; or all rows of its
 * last page's time, each once. Returns the number of new rows meanwhile.
 */
export async function expectScanOfGrowth({ show, get }: ClampedApi, list: GrowingList): Promise<number> {
  const { path, key, of, stages, isResumable = false } = list;
  const page = async (more: string) => {
    const { status, json } = await get(`${path}${path.includes('?') ? '&' : '?'}${more}`);
    expect([path, more, status], JSON.stringify(json)).toEqual([path, more, 200]);
    return { rows: (json[key] as Fields[]).map(of), next: json.next_cursor as string | undefined };
  };
  const whole = async (step: number) => {
    show(step);
    return (await page('limit=1000&cursor=')).rows;
  };
  const [first, last] = [stages[0]!, stages.at(-1)!];
  const [before, after] = [await whole(first), await whole(last)];
  const expected = isResumable ? after : before;
  const limit = Math.max(1, Math.floor(before.length / stages.length));
  const found: string[] = [];
  const coming = [...stages];
  show(first);
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const { rows, next }: Awaited<ReturnType<typeof page>> = await page(`limit=${limit}&cursor=${cursor}`);
    found.push(...rows);
    coming.shift();
    // A continued scan has no end; an endless list is a failure, not a wait.
    if (found.length > expected.length || (next === cursor && coming.length === 0)) break;
    if (coming.length > 0) show(coming[0]!);
    cursor = next;
  }
  // A continued scan has the rows of a later step after those of an earlier one, whatever their order.
  const [some, all] = isResumable ? [found.toSorted(), expected.toSorted()] : [found, expected];
  expect({ path, limit, found: some }).toEqual({ path, limit, found: all });
  return after.length - before.length;
}

/** Few requests, for busy machines: ends of pages fall on each place of a short list, and on many of a long one. */
function limitsFor(rows: number): readonly number[] {
  if (rows <= 4) return [1];
  if (rows <= 12) return [2];
  return rows <= 48 ? [4, 9] : [Math.ceil(rows / 7)];
}
