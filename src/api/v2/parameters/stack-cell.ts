import { BocError } from '../../../ton/boc/boc-error.ts';
import type { Cell } from '../../../ton/cell/cell.ts';
import { CellBuilder } from '../../../ton/cell/cell-builder.ts';
import { writeBag } from '../../../ton/cell/write-bag.ts';
import { fromBase64 } from '../../../ton/hash/base64.ts';
import type { ArgumentCells } from '../../chain/argument-cells.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../http/json-source.ts';
import { InvalidRequest } from '../errors.ts';

const MAX_DEPTH = 512;

/**
 * The cell of a stack entry as a bag: base64, `{bytes: base64}`, or the older servers' `{data: {b64, len}, refs,
 * special}`, as an object or its text. `what` names the entry's type in errors.
 * @throws InvalidRequest, HttpError 422
 */
export function readStackCell(value: JsonValue, what: string, cells: ArgumentCells): Uint8Array {
  if (typeof value === 'string' && value.trimStart().startsWith('{')) return ofText(value, what, cells);
  if (isJsonObject(value)) {
    if (isJsonObject(value.data)) return writeBag(cellOfTree(value, what, cells, 0), { index: false });
    return readStackCell(value.bytes ?? '', what, cells);
  }
  if (value === '') throw new InvalidRequest(`Empty ${what}`);
  try {
    const bytes = typeof value === 'string' ? cells.parseBag(value) : null;
    if (bytes === null) throw invalid(what);
    return bytes;
  } catch (error) {
    if (error instanceof BocError) throw invalid(what);
    throw error;
  }
}

function ofText(text: string, what: string, cells: ArgumentCells): Uint8Array {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid(what);
    throw error;
  }
  return readStackCell(value as JsonObject, what, cells);
}

function cellOfTree(
  { data, refs = [], special }: JsonObject,
  what: string,
  cells: ArgumentCells,
  depth: number,
): Cell {
  cells.countCells(1);
  const { b64, len } = isJsonObject(data) ? data : {};
  const bytes = typeof b64 === 'string' ? fromBase64(b64) : null;
  const fits = bytes !== null && typeof len === 'number' && len >= 0 && len <= bytes.length * 8;
  if (!fits || len > 1023 || !Array.isArray(refs) || refs.length > 4 || depth > MAX_DEPTH || special === true)
    throw invalid(what);
  const builder = new CellBuilder().bits(bytes, 0, len);
  for (const ref of refs as readonly JsonValue[]) {
    if (!isJsonObject(ref)) throw invalid(what);
    builder.ref(cellOfTree(ref, what, cells, depth + 1));
  }
  return builder.cell();
}

function invalid(what: string): InvalidRequest {
  return new InvalidRequest(`Invalid ${what}, base64 string expected`);
}
