import type { Argument, Count, Read } from './readers.ts';
import type { Reading } from './reading.ts';
import { showAddress } from './show-address.ts';
import { showBits } from './show-bits.ts';
import { showBit, showDictionary, showEdge } from './show-dictionary.ts';
import { showAmount, showReference, showRest, showSnake, showVarUint } from './show-value.ts';

/** A type that every schema has. */
interface BuiltIn {
  /** Kinds of its arguments. */
  readonly takes: readonly Argument['kind'][];
  make(counts: readonly Count[], types: readonly Read[]): Read;
}

const uint = (reading: Reading, bits: number) =>
  reading.number(bits <= 32 ? reading.slice.uint(bits) : reading.slice.bigUint(bits));
const int = (reading: Reading, bits: number) =>
  reading.number(bits <= 32 ? reading.slice.int(bits) : reading.slice.bigInt(bits));
const bits = (reading: Reading, count: number) => reading.text(showBits(reading.slice, count));
/** Bits that a number takes. */
const countBits = (most: number) => (most <= 0 ? 0 : 32 - Math.clz32(most));

const BUILT_IN: Readonly<Record<string, BuiltIn>> = {
  '#': plain((reading) => uint(reading, 32)),
  '##': counted(uint),
  '#<': counted((reading, most) => uint(reading, countBits(most - 1))),
  '#<=': counted((reading, most) => uint(reading, countBits(most))),
  uint: counted(uint),
  int: counted(int),
  bits: counted(bits),
  Bool: plain((reading) => {
    reading.budget.take(4);
    return reading.slice.bit();
  }),
  Bit: plain(showBit),
  Unit: plain(() => ({ '@type': 'unit' })),
  True: plain(() => ({ '@type': 'true' })),
  VarUInteger: counted((reading, most) => showVarUint(reading, countBits(most - 1))),
  Coins: plain((reading) => showAmount(reading, 'nanocoins')),
  Grams: plain((reading) => showAmount(reading, 'nanograms')),
  MsgAddress: plain(showAddress),
  MsgAddressInt: plain(showAddress),
  MsgAddressExt: plain(showAddress),
  Cell: plain(showRest),
  Any: plain(showRest),
  '^Cell': plain(showReference),
  SnakeString: plain(showSnake),
  Maybe: { takes: ['type'], make: (_counts, [value]) => maybe(value!) },
  Either: { takes: ['type', 'type'], make: (_counts, [first, second]) => either(first!, second!) },
  HashmapE: {
    takes: ['number', 'type'],
    make: ([keyBits], [value]) => dictionary(keyBits!, value!, showDictionary),
  },
  Hashmap: {
    takes: ['number', 'type'],
    make: ([keyBits], [value]) => dictionary(keyBits!, value!, showEdge),
  },
};

/** Returns the built-in type of a name; undefined if there is none. */
export function builtIn(name: string): BuiltIn | undefined {
  return Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : sized(name);
}

/** `uint64`, `int8`, `bits256` */
function sized(name: string): BuiltIn | undefined {
  const [, kind, digits] = /^(uint|int|bits)([1-9]\d{0,3})$/.exec(name) ?? [];
  if (kind === undefined) return undefined;
  const size = Number(digits);
  const show = { uint, int, bits }[kind as 'uint' | 'int' | 'bits'];
  return plain((reading) => show(reading, size));
}

function plain(read: Read): BuiltIn {
  return { takes: [], make: () => read };
}

function counted(show: (reading: Reading, count: number) => string | ReturnType<Read>): BuiltIn {
  return {
    takes: ['number'],
    make:
      ([count]) =>
      (reading, scope) =>
        show(reading, count!(scope)),
  };
}

function maybe(value: Read): Read {
  return (reading, scope) => {
    reading.budget.take(0);
    return reading.slice.bit()
      ? { '@type': 'something_from_maybe', value: value(reading, scope) }
      : { '@type': 'nothing_from_maybe' };
  };
}

function either(first: Read, second: Read): Read {
  return (reading, scope) => {
    reading.budget.take(0);
    return reading.slice.bit()
      ? { '@type': 'second_from_either', value: second(reading, scope) }
      : { '@type': 'first_from_either', value: first(reading, scope) };
  };
}

function dictionary(keyBits: Count, value: Read, show: typeof showDictionary): Read {
  return (reading, scope) => show(reading, keyBits(scope), (inner) => value(inner, scope));
}
