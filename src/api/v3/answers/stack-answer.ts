import { BagTexts } from '../../../tvm/bag-texts.ts';
import { itemsOfList, type StackValue } from '../../../tvm/stack/stack-value.ts';
import { stackNumberText } from '../../format/stack-number.ts';

/** An entry of a stack (v3-models.md 12). */
export interface StackEntry {
  readonly type: string;
  readonly value: string | readonly StackEntry[];
}

/** A get method's result. A null is the empty list, as in v2. */
export function stackAnswer(values: readonly StackValue[]): StackEntry[] {
  return toEntries(values, new BagTexts());
}

function toEntries(values: readonly StackValue[], bags: BagTexts): StackEntry[] {
  return values.map((value) => toEntry(value, bags));
}

/** Its recursion ends where results do: they come out of bags of cells, which are at most 1024 deep. */
function toEntry(value: StackValue, bags: BagTexts): StackEntry {
  const list = itemsOfList(value);
  if (list) return { type: 'list', value: toEntries(list, bags) };
  switch (value.kind) {
    case 'int':
      return { type: 'num', value: stackNumberText(value.value) };
    case 'cell':
    case 'slice':
      return { type: value.kind, value: bags.of(value.boc) };
    case 'tuple':
      return { type: 'tuple', value: toEntries(value.items, bags) };
    default:
      return { type: 'unsupported', value: '' };
  }
}
