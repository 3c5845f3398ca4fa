import { z } from 'zod';
import { UsageError } from '../../platform/errors/error-kinds.ts';

/** The text is no cursor of the list, or was given for other parameters. */
export class CursorError extends UsageError {}

/** The place of a row in the order of a list. */
export interface PlaceForm<Place> {
  /** One letter, in every cursor of the list: cursors of other lists are refused. */
  readonly list: string;
  /** Its keys in the order in which places have them: only the text that was given is read. */
  readonly shape: z.ZodType<Place>;
  /** True if a scan from the oldest row continues with later steps; otherwise it ends with its first page's steps. */
  readonly isResumable: boolean;
}

/** A scan's place in a list. */
export interface ScanPlace<Place> {
  /** The row that the page follows; null: it is the first page. */
  readonly after: Place | null;
  readonly descending: boolean;
}

/** Position of a scan. */
export interface Cursor<Place> {
  /** Digest of the parameters that it was given for. */
  readonly of: string;
  /** The masterchain steps that it speaks of; `last` null: those that are visible when it is used. */
  readonly first: number;
  readonly last: number | null;
  /** The row that the next page follows; null: the beginning. */
  readonly after: Place | null;
}

/** A written cursor is shorter. */
const MAX_TEXT = 1_000;

const DIGEST = z.string().regex(/^[A-Za-z0-9_-]{12}$/);
const STEP = z.int().min(0).max(0xffff_ffff);

/** A cursor as text of `[A-Za-z0-9_-]`: base64url of JSON. */
export function cursorText<Place>(
  { list }: PlaceForm<Place>,
  { of, first, last, after }: Cursor<Place>,
): string {
  return Buffer.from(JSON.stringify([list, of, first, last, after])).toString('base64url');
}

/** @throws CursorError */
export function readCursor<Place>(form: PlaceForm<Place>, text: string): Cursor<Place> {
  const cursor = text.length <= MAX_TEXT ? parsed(form, text) : null;
  // Base64 forgives much: only the text that was given is the cursor.
  if (!cursor || cursorText(form, cursor) !== text) throw new CursorError(text.slice(0, MAX_TEXT));
  return cursor;
}

function parsed<Place>({ list, shape, isResumable }: PlaceForm<Place>, text: string): Cursor<Place> | null {
  const last = isResumable ? STEP.nullable() : STEP;
  const form = z.tuple([z.literal(list), DIGEST, STEP, last, shape.nullable()]);
  try {
    const [, of, first, last, after] = form.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    return { of, first, last, after };
  } catch {
    return null;
  }
}
