import { BocError } from '../../../ton/boc/boc-error.ts';
import type { StackValue } from '../../../tvm/stack/stack-value.ts';
import { ArgumentCells } from '../../chain/argument-cells.ts';
import { invalidBag } from '../../chain/request-cell.ts';
import { HttpError } from '../../http/errors/http-error.ts';
import { parseStackNumber } from '../../parameters/stack-number.ts';
import { unreadable } from './body.ts';

/**
 * A get method's arguments, `{type, value}` each: only numbers, cells and slices.
 * @throws HttpError
 */
export function readStackArguments(stack: unknown): StackValue[] {
  if (stack === undefined || stack === null) return [];
  if (!Array.isArray(stack)) throw unreadable('stack');
  const cells = new ArgumentCells();
  return stack.map((entry) => readEntry(entry, cells));
}

function readEntry(entry: unknown, cells: ArgumentCells): StackValue {
  cells.countEntry();
  const { type, value } = Object(entry) as { readonly type?: unknown; readonly value?: unknown };
  if (typeof type !== 'string') throw unreadable('stack');
  if (type !== 'num' && type !== 'cell' && type !== 'slice')
    throw new HttpError(500, `unsupported stack parameter type: ${type}`);
  if (typeof value !== 'string') throw unreadable('stack');
  if (type === 'num') {
    const number = parseStackNumber(value);
    if (number === null) throw unreadable('stack');
    return { kind: 'int', value: number };
  }
  return { kind: type, boc: parseBag(value, cells) };
}

function parseBag(text: string, cells: ArgumentCells): Uint8Array {
  try {
    const boc = cells.parseBag(text);
    if (boc === null) throw unreadable('stack');
    return boc;
  } catch (error) {
    if (error instanceof BocError) throw invalidBag(error.message);
    throw error;
  }
}
