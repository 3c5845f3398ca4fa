/**
 * A value of the TVM's stack. Cells, slices and builders as bags of cells with one root. Values may be shared: the same
 * object in many places.
 */
export type StackValue =
  | { readonly kind: 'null' | 'nan' | 'continuation' }
  | { readonly kind: 'int'; readonly value: bigint }
  | { readonly kind: 'cell' | 'slice' | 'builder'; readonly boc: Uint8Array }
  | { readonly kind: 'tuple'; readonly items: readonly StackValue[] };

export const STACK_NULL: StackValue = { kind: 'null' };

/** A TVM list: pairs of an item and the rest, null at the end. */
export function buildList(items: readonly StackValue[]): StackValue {
  return items.reduceRight<StackValue>((rest, item) => ({ kind: 'tuple', items: [item, rest] }), STACK_NULL);
}

/** The items of a TVM list; null for a value that is none. A null is the empty list. */
export function itemsOfList(value: StackValue): StackValue[] | null {
  if (!isList(value)) return null;
  const items: StackValue[] = [];
  for (let rest = value; rest.kind === 'tuple'; rest = rest.items[1]!) items.push(rest.items[0]!);
  return items;
}

/** Memo of tuples: each place of a long chain of pairs is asked for, and each would walk to the end. */
const lists = new WeakMap<StackValue, boolean>();

function isList(value: StackValue): boolean {
  const walked: StackValue[] = [];
  let rest = value;
  let known: boolean | undefined;
  while (rest.kind === 'tuple') {
    known = lists.get(rest) ?? (rest.items.length === 2 ? undefined : false);
    if (known !== undefined) break;
    walked.push(rest);
    rest = rest.items[1]!;
  }
  const answer = known ?? rest.kind === 'null';
  for (const tuple of walked) lists.set(tuple, answer);
  return answer;
}
