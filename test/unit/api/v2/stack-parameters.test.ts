import { beginCell, type Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../../src/api/http/json-source.ts';
import { ValueError } from '../../../../src/api/parameters/form.ts';
import { METHOD } from '../../../../src/api/v2/parameters/method-id.ts';
import { LEGACY_STACK, TYPED_STACK } from '../../../../src/api/v2/parameters/stack.ts';

const cell = beginCell().storeUint(0xabc, 12).storeRef(beginCell().storeUint(5, 8).endCell()).endCell();
const b64 = cell.toBoc({ idx: false }).toString('base64');
const boc = new Uint8Array(cell.toBoc({ idx: false }));
const legacy = (...entries: unknown[]) => LEGACY_STACK.read(parseJson(JSON.stringify(entries)));
const typed = (...entries: unknown[]) => TYPED_STACK.read(parseJson(JSON.stringify(entries)));
const int = (value: bigint) => ({ kind: 'int', value });
const decimal = (number: string) => ({
  '@type': 'tvm.stackEntryNumber',
  number: { '@type': 'tvm.numberDecimal', number },
});

describe('arguments of get methods', () => {
  it('reads numbers in every form', () => {
    const forms = ['12', '-12', '0xff', '-0xFF', 7, '+3'];
    const values = forms.map((form) => legacy(['num', form])[0]);
    expect(values).toEqual([12n, -12n, 255n, -255n, 7n, 3n].map(int));
    // A number beyond 2^53 as the request's text spells it.
    expect(LEGACY_STACK.read(parseJson('[["int", 18446744073709551615]]'))).toEqual([int(2n ** 64n - 1n)]);
    expect(typed(decimal('-5'))).toEqual([int(-5n)]);
  });

  it('reads cells and slices in every form', () => {
    const tree = {
      data: { b64: Buffer.from([0xab, 0xc0]).toString('base64'), len: 12 },
      refs: [{ data: { b64: 'BQ==', len: 8 }, refs: [], special: false }],
      special: false,
    };
    for (const value of [b64, { bytes: b64 }, { bytes: b64, object: {} }, tree, JSON.stringify(tree)]) {
      expect(legacy(['cell', value], ['tvm.Slice', value])).toEqual([
        { kind: 'cell', boc },
        { kind: 'slice', boc },
      ]);
    }
    expect(typed({ '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: b64 } })).toEqual([
      { kind: 'cell', boc },
    ]);
  });

  it('reads tuples and lists of both kinds of entries', () => {
    const pair = { kind: 'tuple', items: [int(1n), int(2n)] };
    expect(legacy(['tuple', { elements: [decimal('1'), ['num', '2']] }])).toEqual([pair]);
    expect(legacy(['tvm.List', { '@type': 'tvm.list', elements: [['num', '1']] }])).toEqual([
      { kind: 'tuple', items: [int(1n), { kind: 'null' }] },
    ]);
    const elements = [decimal('1'), decimal('2')];
    expect(typed({ '@type': 'tvm.stackEntryTuple', tuple: { elements } })).toEqual([pair]);
    expect(legacy()).toEqual([]);
  });

  it('names what it cannot read, with the statuses of the contract', () => {
    const refused = (stack: unknown) => {
      try {
        LEGACY_STACK.read(stack as never);
      } catch (error) {
        const { status, message } = error as { status: number; message: string };
        return [status, message];
      }
      return 'taken';
    };
    expect(refused({})).toEqual([422, 'Invalid stack format: array expected']);
    expect(refused([['num']])).toEqual([
      422,
      'Invalid stack entry format: array of exact 2 elements expected',
    ]);
    expect(refused([[1, 2]])).toEqual([422, 'Expected string as first element in stack entry']);
    expect(refused([['num', 'x']])).toEqual([422, 'Wrong type of number in stack entry']);
    expect(refused([['num', 1.5]])).toEqual([422, 'Wrong type of number in stack entry']);
    expect(refused([['tvm.Cell', '']])).toEqual([422, 'Empty tvm.Cell']);
    expect(refused([['tvm.Slice', '!']])).toEqual([422, 'Invalid tvm.Slice, base64 string expected']);
    expect(refused([['tvm.Cell', 'AAAA']])).toEqual([422, 'Invalid tvm.Cell, base64 string expected']);
    expect(refused([['cell', '{"data"']])).toEqual([422, 'Invalid tvm.Cell, base64 string expected']);
    expect(refused([['tvm.Builder', b64]])).toEqual([542, 'Unsupported stack entry type: tvm.Builder']);
    let deep: unknown = ['num', '1'];
    for (let depth = 0; depth < 300; depth++) deep = ['tuple', { elements: [deep] }];
    expect(refused([deep])).toEqual([422, 'Stack depth >= 256']);
  });

  it('reads a bag that many entries give once', () => {
    const values = legacy(...Array.from({ length: 512 }, () => ['cell', b64]));
    expect(new Set(values.map((value) => 'boc' in value && value.boc)).size).toBe(1);
  });

  it('refuses what is too much, before it is read', () => {
    const refused = (entries: unknown[]): unknown => {
      try {
        return LEGACY_STACK.read(parseJson(JSON.stringify(entries)));
      } catch (error) {
        const { status, message } = error as { status: number; message: string };
        return [status, message];
      }
    };
    const chain = (depth: number) => {
      let at = beginCell().endCell();
      for (let level = 0; level < depth; level++)
        at = beginCell().storeUint(level, 16).storeRef(at).endCell();
      return at;
    };
    const text = (root: Cell) => root.toBoc({ idx: false }).toString('base64');
    expect(refused([['cell', text(chain(350))]])).toMatchObject([{ kind: 'cell' }]);
    const tooDeep = [422, 'stack: the arguments have a cell deeper than 960'];
    for (const depth of [961, 1_000, 1_024]) expect(refused([['cell', text(chain(depth))]])).toEqual(tooDeep);
    const numbers = Array.from({ length: 4_097 }, () => ['num', '1']);
    expect(refused(numbers)).toEqual([422, 'stack: the arguments have more than 4096 entries']);
    const list = [['list', numbers.slice(0, 4_096)]];
    expect(refused(list)).toEqual([422, 'stack: the arguments have more than 4096 entries']);
    // Ten bags of 900 different cells each.
    const bags = Array.from({ length: 10 }, (_, at) => {
      let root = beginCell().storeUint(at, 32).endCell();
      for (let level = 0; level < 899; level++) root = beginCell().storeRef(root).endCell();
      return ['cell', text(root)];
    });
    expect(refused(bags)).toEqual([422, 'stack: the arguments have more than 8192 cells']);
  });

  it('knows methods by name and number', () => {
    expect(METHOD.read('seqno')).toBe(85143);
    expect(METHOD.read('85143')).toBe(85143);
    expect(METHOD.read(-1)).toBe(-1);
    expect(() => METHOD.read('9999999999')).toThrow(ValueError);
    expect(() => METHOD.read(1.5)).toThrow(ValueError);
  });
});
