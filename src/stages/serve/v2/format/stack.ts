import { toBase64 } from '../../../../ton/hash/base64.ts';
import { itemsOfList, type StackValue } from '../../../../ton/tvm/stack-value.ts';
import { V2Error } from '../errors.ts';
import { cellTree } from './cell-tree.ts';
import { stackNumberText } from './stack-number.ts';

/** The depth of tuples that answers may have (v2-endpoints.md section 3). */
const MAX_DEPTH = 256;

/** An entry of runGetMethod's answer: type and value. */
export type LegacyEntry = readonly [string, unknown];

/** An entry with an `@type`: inside tuples and lists, and all of runGetMethodStd's. */
export type TypedEntry = Readonly<Record<string, unknown>> & { readonly '@type': string };

/** The stack as runGetMethod answers it. @throws V2Error 533 */
export function legacyStack(values: readonly StackValue[]): LegacyEntry[] {
  return values.map(legacyEntry);
}

/** The stack as runGetMethodStd answers it. @throws V2Error 533 */
export function typedStack(values: readonly StackValue[]): TypedEntry[] {
  return values.map((value) => typedEntry(value, 0));
}

function legacyEntry(value: StackValue): LegacyEntry {
  const list = itemsOfList(value);
  if (list) return ['list', { '@type': 'tvm.list', elements: list.map((item) => typedEntry(item, 1)) }];
  switch (value.kind) {
    case 'int':
      return ['num', stackNumberText(value.value)];
    case 'cell':
    case 'slice':
      return ['cell', cellEntry(value.boc)];
    case 'tuple':
      return ['tuple', { '@type': 'tvm.tuple', elements: value.items.map((item) => typedEntry(item, 1)) }];
    default:
      return ['unsupported', ''];
  }
}

function cellEntry(boc: Uint8Array): object {
  const object = cellTree(boc);
  return { bytes: toBase64(boc), ...(object && { object }) };
}

function typedEntry(value: StackValue, depth: number): TypedEntry {
  if (depth >= MAX_DEPTH) throw new V2Error(533, `Result stack depth >= ${MAX_DEPTH}`);
  const elements = (items: readonly StackValue[]) => items.map((item) => typedEntry(item, depth + 1));
  const list = itemsOfList(value);
  if (list) return { '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements: elements(list) } };
  switch (value.kind) {
    case 'int':
      return {
        '@type': 'tvm.stackEntryNumber',
        number: { '@type': 'tvm.numberDecimal', number: value.value.toString() },
      };
    case 'cell':
      return { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: toBase64(value.boc) } };
    case 'slice':
      return { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes: toBase64(value.boc) } };
    case 'tuple':
      return {
        '@type': 'tvm.stackEntryTuple',
        tuple: { '@type': 'tvm.tuple', elements: elements(value.items) },
      };
    default:
      return { '@type': 'tvm.stackEntryUnsupported' };
  }
}
