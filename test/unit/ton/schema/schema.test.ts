import { type Builder, beginCell, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { onlyRoot, parseBoc } from '../../../../src/ton/boc/boc.ts';
import { CellSlice } from '../../../../src/ton/boc/cell-slice.ts';
import { Budget, type Json, Reading } from '../../../../src/ton/schema/reading.ts';
import { Schema } from '../../../../src/ton/schema/schema.ts';

/** Reads a cell by the first constructor of the type T. */
function read(schema: string, cell: Builder, bytes = 100_000): Json {
  const boc = parseBoc(cell.endCell().toBoc());
  const slice = new CellSlice(boc, onlyRoot(boc));
  const [first] = new Schema(schema, 'test').getConstructors('T');
  return first!.read(new Reading(slice, new Budget(bytes), () => null), new Map());
}

const cell = () => beginCell();
const fields = (text: string) => `_ ${text} = T;`;

describe('values', () => {
  it.each<[string, Builder, Json]>([
    ['a:uint64', cell().storeUint(2n ** 64n - 1n, 64), '18446744073709551615'],
    ['a:int8', cell().storeInt(-3, 8), '-3'],
    ['a:#', cell().storeUint(7, 32), '7'],
    ['a:(## 5)', cell().storeUint(17, 5), '17'],
    ['a:(#<= 30)', cell().storeUint(30, 5), '30'],
    ['a:bits12', cell().storeUint(0xabc, 12), 'ABC'],
    ['a:bits3', cell().storeUint(0b101, 3), 'B_'],
    ['a:Bool', cell().storeBit(1), true],
    [
      'a:Coins',
      cell().storeCoins(1_000_000n),
      { '@type': 'nanocoins', amount: { '@type': 'var_uint', len: '3', value: '1000000' } },
    ],
    ['a:(VarUInteger 32)', cell().storeVarUint(5, 5), { '@type': 'var_uint', len: '1', value: '5' }],
    ['a:MsgAddress', cell().storeUint(0, 2), { '@type': 'addr_none' }],
    [
      'a:MsgAddress',
      cell().storeUint(1, 2).storeUint(8, 9).storeUint(0xfe, 8),
      { '@type': 'addr_external', len: '8', external_address: 'FE' },
    ],
    ['a:(Maybe uint8)', cell().storeBit(0), { '@type': 'nothing_from_maybe' }],
    [
      'a:(Either uint8 ^[ b:uint8 ])',
      cell().storeBit(1).storeRef(cell().storeUint(9, 8).endCell()),
      { '@type': 'second_from_either', value: { cell_reference: { b: '9' } } },
    ],
    ['a:^[ b:uint8 ]', cell().storeRef(cell().storeUint(9, 8).endCell()), { b: '9' }],
    ['a:^Cell', cell().storeRef(cell().storeUint(9, 8).endCell()), 'te6ccgEBAQEAAwAAAgk='],
    ['a:Cell', cell().storeUint(9, 8), 'te6ccgEBAQEAAwAAAgk='],
    ['a:SnakeString', cell().storeStringTail('Zürich'), 'Zürich'],
    ['a:SnakeString', cell().storeBuffer(Buffer.from([0x41, 0xff])), 'A\\xff'],
    ['a:(3 * uint8)', cell().storeBuffer(Buffer.from([1, 2, 3])), ['1', '2', '3']],
  ])('%s', (type, content, expected) => {
    expect(read(fields(type), content)).toEqual({ a: expected });
  });

  it('fields are told by name, those without one under the empty key', () => {
    const content = cell().storeUint(1, 8).storeUint(2, 8);
    expect(read('t#_ a:uint8 uint8 = T;', content)).toEqual({ '@type': 't', a: '1', '': '2' });
  });

  it('flags and numbers decide over later fields, and constraints hold', () => {
    const schema = fields(
      'flags:(## 8) {flags <= 3} a:flags.0?uint8 b:flags.1?uint8 n:(## 8) text:(bits (n * 8))',
    );
    const content = (flags: number) =>
      cell().storeUint(flags, 8).storeUint(5, 8).storeUint(1, 8).storeUint(0xee, 8);
    expect(read(schema, content(2))).toEqual({ flags: '2', b: '5', n: '1', text: 'EE' });
    expect(() => read(schema, content(4))).toThrow(/constraint/);
  });

  it('constructors are told apart by tag, then by what can be read', () => {
    const schema = `_ a:X = T; one$0 = X; two$10 v:uint8 = X; three$11 = X;`;
    expect(read(schema, cell().storeUint(0b0, 1))).toEqual({ a: { '@type': 'one' } });
    expect(read(schema, cell().storeUint(0b10, 2).storeUint(4, 8))).toEqual({
      a: { '@type': 'two', v: '4' },
    });
    const untagged = '_ a:X = T; long#_ v:uint16 = X; short#_ v:uint8 = X;';
    expect(read(untagged, cell().storeUint(4, 8))).toEqual({ a: { '@type': 'short', v: '4' } });
  });

  it('two empty constructors of one bit are a truth value', () => {
    expect(read('_ a:X = T; no$0 = X; yes$1 = X;', cell().storeBit(1))).toEqual({ a: true });
  });

  it('types take types and numbers', () => {
    const schema = `_ a:(Pair uint8) b:(List 2) = T; _ {X:Type} l:X r:X = Pair X;
      nil$_ = List 0; cons$_ {n:#} v:uint8 next:(List n) = List (n + 1);`;
    const content = cell().storeBuffer(Buffer.from([1, 2, 3, 4]));
    expect(read(schema, content)).toEqual({
      a: { l: '1', r: '2' },
      b: { '@type': 'cons', v: '3', next: { '@type': 'cons', v: '4', next: { '@type': 'nil' } } },
    });
  });

  it('dictionaries are told by their edges', () => {
    const one = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Uint(8)).set(7, 9).set(128, 1);
    const leaf = (label: object, value: string) => ({
      '@type': 'hashmap_edge',
      label,
      node: { '@type': 'hashmap_node_leaf', value },
    });
    expect(read(fields('a:(HashmapE 8 uint8)'), cell().storeDict(one))).toEqual({
      a: {
        '@type': 'hashmap_root',
        root: {
          '@type': 'hashmap_edge',
          label: { '@type': 'hashmap_label_short', len: { '@type': 'unary_zero' }, s: '' },
          node: {
            '@type': 'hashmap_node_fork',
            left: leaf({ '@type': 'hashmap_label_long', n: '7', s: '0F_' }, '9'),
            right: leaf({ '@type': 'hashmap_label_same', v: { '@type': 'bit', '': '0' }, n: '7' }, '1'),
          },
        },
      },
    });
  });

  it('more than the budget is refused', () => {
    expect(() => read(fields('a:(200 * uint8)'), cell().storeBuffer(Buffer.alloc(100)), 1000)).toThrow(
      /size/,
    );
  });
});

describe('errors name the line', () => {
  it.each([
    ['a#12345678 b:uint8 = T', /test:1: expected a type or a number, found the end of the text/],
    ['\n\na b:uint8 = T;', /test:3: a has no tag/],
    ['a#_ b:Nothing = T;', /test:1: there is no type Nothing/],
    ['a#_ b:(Maybe uint8 uint8) = T;', /test:1: Maybe takes 1 arguments, not 2/],
    ['a#_ b:c?uint8 = T;', /test:1: c is no number/],
    ['a#_ __proto__:uint8 = T;', /test:1: __proto__ cannot be a name/],
    ['a#_ n:(## 8) b:(X n) = T; x$_ = X 0; y$_ = X;', /X has other parameters|X takes/],
    ['a#123456789 = T;', /longer than 32 bits/],
    ['a#_ b:~n = T;', /"~" has no meaning/],
    [`a#_ b:${'^'.repeat(100)}Cell = T;`, /nested too deep/],
  ])('%s', (text, error) => {
    expect(() => new Schema(text, 'test').check()).toThrow(error);
  });
});
