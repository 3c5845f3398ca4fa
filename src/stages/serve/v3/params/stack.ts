import { fromBase64 } from '../../../../ton/hash/base64.ts';
import type { StackValue } from '../../../../ton/tvm/stack-value.ts';
import { requestCell } from '../../chain/request-cell.ts';
import { HttpError } from '../../http/http-error.ts';
import { parseStackNumber } from '../../v2/parameters/stack.ts';
import { unreadable } from '../post-endpoint.ts';

/**
 * A get method's arguments, `{type, value}` each: only numbers, cells and slices.
 * @throws HttpError
 */
export function readStackArguments(stack: unknown): StackValue[] {
  if (stack === undefined || stack === null) return [];
  if (!Array.isArray(stack)) throw unreadable('stack');
  return stack.map(readEntry);
}

function readEntry(entry: unknown): StackValue {
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
  const boc = fromBase64(value);
  if (boc === null) throw unreadable('stack');
  requestCell(boc);
  return { kind: type, boc };
}
