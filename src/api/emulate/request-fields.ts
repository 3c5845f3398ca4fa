import { BocError } from '../../ton/boc/boc-error.ts';
import { CellError } from '../../ton/boc/cell-error.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import { readCell } from '../../ton/cell/cells-of-bag.ts';
import { fromBase64 } from '../../ton/hash/base64.ts';
import { HttpError } from '../http/errors/http-error.ts';
import type { PostBody } from '../v3/parameters/body.ts';

/*
 * Fields of the requests, with the words of v3-rules.md 1.3. A null value counts as absent.
 */

const STRICT_BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** Cells of a part of a message; the whole may have half of it. */
const CELL_LIMITS = { maxCells: 16_384, maxDepth: 512 };
const MAX_UINT32 = 0xffff_ffff;

/** A request that is not as it must be. */
export function invalid(why: string): HttpError {
  return new HttpError(400, `invalid request: ${why}`);
}

/** Text of a field; null if it is absent. @throws HttpError 400 */
export function readText(body: PostBody, name: string): string | null {
  const value = body[name] ?? null;
  if (value !== null && typeof value !== 'string') throw invalid(`${name} must be a string`);
  return value;
}

/** Truth value of a field; false if it is absent. @throws HttpError 400 */
export function readFlag(body: PostBody, name: string): boolean {
  const value = body[name] ?? false;
  if (typeof value !== 'boolean') throw invalid(`${name} must be a boolean`);
  return value;
}

/** Whole number of a field, not negative; null if it is absent. @throws HttpError 400 */
export function readNumber(body: PostBody, name: string, most = MAX_UINT32): number | null {
  const value = body[name] ?? null;
  if (value === null) return null;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > most)
    throw invalid(`${name} must be a whole number from 0 to ${most}`);
  return value;
}

/** Bytes of standard base64 with its padding. @throws HttpError 400, with `what` before the reason */
export function strictBase64(text: string, what: string): Uint8Array {
  const bytes = text.length % 4 === 0 && STRICT_BASE64.test(text) ? fromBase64(text) : null;
  if (bytes === null || bytes.length === 0) throw invalid(`${what}: not standard base64`);
  return bytes;
}

/** The cell of a bag in base64. @throws HttpError 400, with `what` before the reason */
export function strictCell(text: string, what: string): Cell {
  const bytes = strictBase64(text, what);
  try {
    return readCell(bytes, CELL_LIMITS);
  } catch (error) {
    if (error instanceof BocError || error instanceof CellError) throw invalid(`${what}: ${error.message}`);
    throw error;
  }
}
