import { toBase64 } from '../../../../ton/hash/base64.ts';
import { itemsOfList, type StackValue } from '../../../../ton/tvm/stack-value.ts';
import { stackNumberText } from '../../v2/format/stack-number.ts';

/** An entry of a stack (v3-models.md 12). */
export interface StackEntry {
  readonly type: string;
  readonly value: string | readonly StackEntry[];
}

/** A get method's result. A null is the empty list, as in v2. */
export function stackAnswer(values: readonly StackValue[]): StackEntry[] {
  return values.map(entryOf);
}

function entryOf(value: StackValue): StackEntry {
  const list = itemsOfList(value);
  if (list) return { type: 'list', value: stackAnswer(list) };
  switch (value.kind) {
    case 'int':
      return { type: 'num', value: stackNumberText(value.value) };
    case 'cell':
    case 'slice':
      return { type: value.kind, value: toBase64(value.boc) };
    case 'tuple':
      return { type: 'tuple', value: stackAnswer(value.items) };
    default:
      return { type: 'unsupported', value: '' };
  }
}
