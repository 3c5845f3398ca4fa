import type { Expression, Field } from './syntax.ts';

/** Least and most bits and references that a value takes of its own cell. */
export interface Extent {
  readonly bits: readonly [least: number, most: number];
  readonly refs: readonly [least: number, most: number];
}

/** The extent of a declared type; null during its own computation. */
export type ExtentOfType = (name: string) => Extent | null;

export const NOTHING: Extent = { bits: [0, 0], refs: [0, 0] };
const ANY: Extent = { bits: [0, 1023], refs: [0, 4] };
const REFERENCE: Extent = { bits: [0, 0], refs: [1, 1] };

const ofBits = (least: number, most = least): Extent => ({ bits: [least, most], refs: [0, 0] });

/** Types whose extent does not follow from their name and number. */
const BUILT_IN: Readonly<Record<string, Extent>> = {
  '#': ofBits(32),
  Bool: ofBits(1),
  Bit: ofBits(1),
  Unit: NOTHING,
  True: NOTHING,
  Coins: ofBits(4, 124),
  Grams: ofBits(4, 124),
  MsgAddress: ofBits(2, 591),
  MsgAddressInt: ofBits(2, 591),
  MsgAddressExt: ofBits(2, 591),
  HashmapE: { bits: [1, 1], refs: [0, 1] },
};

/**
 * Returns bounds of a type's size, so that a layout that cannot fit is skipped: a failed read costs as much as reading
 * ten values (measured). If the size depends on values, the bounds are open.
 */
export function getExtent(expression: Expression, ofType: ExtentOfType): Extent {
  switch (expression.kind) {
    case 'cell':
      return REFERENCE;
    case 'fields':
      return extentOfFields(expression.fields, ofType);
    case 'optional':
      return optional(getExtent(expression.of, ofType), 0);
    case 'name':
      return extentOfName(expression, ofType);
    default:
      return ANY;
  }
}

/** Extent of fields together. */
export function extentOfFields(fields: readonly Field[], ofType: ExtentOfType): Extent {
  return fields.reduce<Extent>(
    (all, field) => (field.kind === 'field' ? plus(all, getExtent(field.type, ofType)) : all),
    NOTHING,
  );
}

/** Extent of one of several. */
export function uniteExtents(extents: readonly Extent[]): Extent {
  const bounds = (of: 'bits' | 'refs') =>
    [Math.min(...extents.map((one) => one[of][0])), Math.max(...extents.map((one) => one[of][1]))] as const;
  return { bits: bounds('bits'), refs: bounds('refs') };
}

/** Extent of both in sequence. */
export function plus(one: Extent, other: Extent): Extent {
  const sum = (of: 'bits' | 'refs') => [one[of][0] + other[of][0], one[of][1] + other[of][1]] as const;
  return { bits: sum('bits'), refs: sum('refs') };
}

function optional({ bits, refs }: Extent, flagBits: number): Extent {
  return { bits: [flagBits, flagBits + bits[1]], refs: [0, refs[1]] };
}

function extentOfName(expression: Extract<Expression, { kind: 'name' }>, ofType: ExtentOfType): Extent {
  const { name, args } = expression;
  if (Object.hasOwn(BUILT_IN, name)) return BUILT_IN[name]!;
  const [, digits] = /^(?:uint|int|bits)([1-9]\d{0,3})$/.exec(name) ?? [];
  if (digits !== undefined) return ofBits(Number(digits));
  const [first, second] = args;
  if (['##', 'uint', 'int', 'bits'].includes(name) && first?.kind === 'number') return ofBits(first.value);
  if (name === 'VarUInteger' && first?.kind === 'number') {
    const lengthBits = 32 - Math.clz32(first.value - 1);
    return ofBits(lengthBits, lengthBits + (first.value - 1) * 8);
  }
  if (name === 'Maybe' && first) return optional(getExtent(first, ofType), 1);
  if (name === 'Either' && first && second)
    return plus(ofBits(1), uniteExtents([getExtent(first, ofType), getExtent(second, ofType)]));
  return ofType(name) ?? ANY;
}
