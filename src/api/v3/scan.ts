import { hash } from 'node:crypto';
import { Type } from 'typebox';
import { withIntegers } from '../http/caching/response-key.ts';
import { HttpError, OverloadedError } from '../http/errors/http-error.ts';
import { toText } from '../parameters/form.ts';
import { optional } from '../parameters/parameter.ts';
import { type Cursor, CursorError, cursorText, type PlaceForm, readCursor } from '../query/cursor.ts';
import type { Page } from '../query/page.ts';
import { type ReadScope, withVisible } from '../query/scope.ts';
import type { ProjectionName, VisibleRange } from '../version-vector.ts';

/*
 * A scan reads a list page by page with `cursor` instead of `offset`. Its first request fixes its masterchain steps,
 * and each cursor names the row before the next page. New blocks move no row, and the last page costs what the first
 * does. A scan from the oldest on continues with new steps if the list's rows never change (`isResumable`).
 */

/** The parameter of lists that can be scanned. */
export const SCANNING = {
  cursor: optional(
    { schema: Type.String(), read: toText },
    'Scan: empty in the first request, then `next_cursor` of the answer before. Excludes offset.',
  ),
} as const;

/** Masterchain steps that the server which gave a cursor may be ahead of this one. */
const MAX_STEPS_AHEAD = 1_000;

/** One page of a scan. */
export interface Scan<Place> {
  /** Digest of its parameters: a cursor is valid only with these. */
  readonly of: string;
  /** The masterchain step that the window begins with, there or still to come. */
  readonly first: number;
  /** Masterchain steps that the page speaks of; null where none came since the last page. */
  readonly window: VisibleRange | null;
  /** The last row of the page before; null at the beginning of the window. */
  readonly after: Place | null;
}

/** Parameters of a request for a page of a scan. */
export interface ScanValues {
  readonly cursor: string | undefined;
  readonly limit: number | undefined;
  readonly offset: number | undefined;
  readonly sort?: string | undefined;
  readonly fields?: readonly string[];
}

/** The page of a scan for a request; null if it is not a scan. @throws HttpError 422, 503 */
export function parseScan<Place>(
  form: PlaceForm<Place>,
  values: ScanValues,
  page: Page,
  visible: VisibleRange,
): Scan<Place> | null {
  if (values.cursor === undefined) return null;
  if (page.offset > 0) throw new HttpError(422, 'cursor and offset exclude each other');
  const of = digestValues(values, page);
  if (values.cursor === '') return { of, first: visible.first, window: visible, after: null };
  const cursor = parseCursor(form, values.cursor);
  const { first, last, after, ...given } = cursor;
  if (given.of !== of)
    throw new HttpError(
      422,
      'cursor was given for other parameters: only limit may change from page to page',
    );
  if (first < visible.first)
    throw new HttpError(422, `cursor begins at masterchain block ${first}, the index at ${visible.first}`);
  requireGiven(cursor, visible);
  if (last === null) {
    return { of, first, window: first > visible.last ? null : { first, last: visible.last }, after };
  }
  if (last > visible.last)
    throw new OverloadedError(`cursor goes to masterchain block ${last}, the index to ${visible.last}`);
  return { of, first, window: { first, last }, after };
}

/** @throws HttpError 422 for steps that no server gives: in the wrong order, or far beyond the index */
function requireGiven({ first, last, after }: Cursor<unknown>, visible: VisibleRange): void {
  const isOrdered = last === null ? after === null : first <= last;
  if (!isOrdered) throw notGiven();
  const ahead = (last ?? first - 1) - visible.last;
  if (ahead > MAX_STEPS_AHEAD)
    throw new HttpError(
      422,
      `cursor goes ${ahead} masterchain blocks beyond the index, which ends at ${visible.last}`,
    );
}

function notGiven(): HttpError {
  return new HttpError(422, 'cursor is not one that this list gave');
}

/** Scope of a page of a scan; the whole where nothing is scanned. */
export function scannedScope<R extends ProjectionName>(
  scope: ReadScope<R>,
  scan: Pick<Scan<unknown>, 'window'> | null,
): ReadScope<R> {
  return scan?.window ? withVisible(scope, scan.window) : scope;
}

/** Digest of the parameters of a cursor, as read, without those that may differ by page. */
function digestValues(
  { cursor, limit, offset, sort, fields, ...filters }: ScanValues,
  { descending }: Page,
): string {
  return hash('sha256', JSON.stringify([filters, descending], withIntegers), 'base64url').slice(0, 12);
}

function parseCursor<Place>(form: PlaceForm<Place>, text: string): Cursor<Place> {
  try {
    return readCursor(form, text);
  } catch (error) {
    if (error instanceof CursorError) throw notGiven();
    throw error;
  }
}

/**
 * `next_cursor` of an answer, to be spread into it; absent without a scan, and after the last row of a finite one.
 * `places`: of the page's rows.
 */
export function nextCursor<Place>(
  form: PlaceForm<Place>,
  scan: Scan<Place> | null,
  { limit, descending }: Page,
  places: readonly Place[],
): { readonly next_cursor?: string } {
  if (!scan) return {};
  const { of, first, window } = scan;
  const after = places.at(-1);
  // The same cursor again: a lagging server must not go back.
  if (!window) return { next_cursor: cursorText(form, { of, first, last: null, after: null }) };
  if (after && places.length >= limit) return { next_cursor: cursorText(form, { of, ...window, after }) };
  if (descending || !form.isResumable) return {};
  return { next_cursor: cursorText(form, { of, first: window.last + 1, last: null, after: null }) };
}

/** Form of a list's places, and the place of each row. */
interface ListPlaces<Row, Place> {
  readonly form: PlaceForm<Place>;
  toPlace(row: Row): Place;
}

/** A page of a list, by offset or by cursor, and `next_cursor`. */
interface ListPage<Row, Scope> {
  readonly rows: readonly Row[];
  /** Scope of the page: related reads use the same moment. */
  readonly scope: Scope;
  readonly next: { readonly next_cursor?: string };
}

/**
 * A page of a list as a request asks for it. `read` gets the scope of the page, and the scan's position, null without
 * one. @throws HttpError 422, 503
 */
export async function scannedPage<R extends ProjectionName, Row, Place>(
  scope: ReadScope<R>,
  { form, toPlace }: ListPlaces<NoInfer<Row>, Place>,
  { values, page }: { readonly values: ScanValues; readonly page: Page },
  read: (scope: ReadScope<R>, scan: Scan<Place> | null) => Promise<readonly Row[]>,
): Promise<ListPage<Row, ReadScope<R>>> {
  const scan = parseScan(form, values, page, scope.visible);
  const isEmpty = scan !== null && scan.window === null;
  const scanned = scannedScope(scope, scan);
  const rows = isEmpty ? [] : await read(scanned, scan);
  return { rows, scope: scanned, next: nextCursor(form, scan, page, scan ? rows.map(toPlace) : []) };
}
