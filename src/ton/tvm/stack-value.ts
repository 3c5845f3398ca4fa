/** A value of the TVM's stack. Cells, slices and builders as bags of cells with one root. */
export type StackValue =
  | { readonly kind: 'null' | 'nan' | 'continuation' }
  | { readonly kind: 'int'; readonly value: bigint }
  | { readonly kind: 'cell' | 'slice' | 'builder'; readonly boc: Uint8Array }
  | { readonly kind: 'tuple'; readonly items: readonly StackValue[] };

export const STACK_NULL: StackValue = { kind: 'null' };

/** A TVM list: pairs of an item and the rest, null at the end. */
export function listOf(items: readonly StackValue[]): StackValue {
  return items.reduceRight<StackValue>((rest, item) => ({ kind: 'tuple', items: [item, rest] }), STACK_NULL);
}

/** The items of a TVM list; null for a value that is none. A null is the empty list. */
export function itemsOfList(value: StackValue): StackValue[] | null {
  const items: StackValue[] = [];
  let rest = value;
  while (rest.kind === 'tuple') {
    const [item, next] = rest.items;
    if (rest.items.length !== 2 || !item || !next) return null;
    items.push(item);
    rest = next;
  }
  return rest.kind === 'null' ? items : null;
}
