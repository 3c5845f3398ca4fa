import { z } from 'zod';

/** The text is no cursor of the list. */
export class CursorError extends Error {
  override readonly name = 'CursorError';
}

/** The place of a row in the order of a list. */
export interface PlaceForm<Place> {
  /** One letter, in every cursor of the list: those of other lists are refused. */
  readonly list: string;
  readonly shape: z.ZodType<Place>;
}

/** Where a scan stands. */
export interface Cursor<Place> {
  /** The masterchain steps that it speaks of; `last` null: those that are visible when it is used. */
  readonly first: number;
  readonly last: number | null;
  /** The row that the next page follows; null: the beginning. */
  readonly after: Place | null;
}

/** A cursor as it is written is shorter. */
const MOST_TEXT = 400;

const STEP = z.int().min(0).max(0xffff_ffff);

/** A cursor as text of `[A-Za-z0-9_-]`: base64url of JSON. */
export function cursorText<Place>({ list }: PlaceForm<Place>, { first, last, after }: Cursor<Place>): string {
  return Buffer.from(JSON.stringify([list, first, last, after])).toString('base64url');
}

/** @throws CursorError */
export function readCursor<Place>(form: PlaceForm<Place>, text: string): Cursor<Place> {
  const cursor = text.length <= MOST_TEXT ? parsed(form, text) : null;
  // Base64 forgives much: only the text that was given is the cursor.
  if (!cursor || cursorText(form, cursor) !== text) throw new CursorError(text.slice(0, MOST_TEXT));
  return cursor;
}

function parsed<Place>({ list, shape }: PlaceForm<Place>, text: string): Cursor<Place> | null {
  const form = z.tuple([z.literal(list), STEP, STEP.nullable(), shape.nullable()]);
  try {
    const [, first, last, after] = form.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    return { first, last, after };
  } catch {
    return null;
  }
}
