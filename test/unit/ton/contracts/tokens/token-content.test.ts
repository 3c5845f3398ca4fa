import { createHash } from 'node:crypto';
import { type Builder, beginCell, type Cell, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { readTokenContent } from '../../../../../src/ton/contracts/tokens/token-content.ts';

const read = (cell: Cell) => readTokenContent(cell.toBoc());
const key = (name: string) => BigInt(`0x${createHash('sha256').update(name).digest('hex')}`);
const snake = (text: string) => beginCell().storeUint(0, 8).storeStringTail(text).endCell();

function onchain(values: Readonly<Record<string, Cell>>): Cell {
  const dict = Dictionary.empty(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell());
  for (const [name, cell] of Object.entries(values)) dict.set(key(name), cell);
  return beginCell().storeUint(0, 8).storeDict(dict).endCell();
}

function chunked(...parts: string[]): Cell {
  const dict = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.Cell());
  for (const [index, part] of parts.entries()) dict.set(index, beginCell().storeStringTail(part).endCell());
  return beginCell().storeUint(1, 8).storeDict(dict).endCell();
}

describe('content of tokens (TEP-64)', () => {
  it('reads where it is to be found, over many cells', () => {
    const uri = `https://example.org/${'long/'.repeat(60)}meta.json`;
    const cell = beginCell().storeUint(1, 8).storeStringTail(uri).endCell();
    expect(read(cell)).toEqual({ type: 'offchain', data: uri });
  });

  it('reads attributes in one piece and in chunks, bytes in base64; leaves out what it does not know', () => {
    const found = read(
      onchain({
        name: snake('Coin'),
        description: chunked('a long ', 'text'),
        decimals: snake('9'),
        image_data: snake('<svg/>'),
        nonsense: snake('unknown'),
        symbol: beginCell().storeUint(0, 8).storeUint(0xff, 8).endCell(),
        image: beginCell().storeUint(7, 8).endCell(),
      }),
    );
    const data = {
      name: 'Coin',
      description: 'a long text',
      decimals: '9',
      image_data: Buffer.from('<svg/>').toString('base64'),
    };
    expect(found).toEqual({ type: 'onchain', data });
    expect(read(beginCell().storeUint(0, 8).storeBit(false).endCell())).toEqual({
      type: 'onchain',
      data: {},
    });
  });

  it.each([
    ['an empty cell', beginCell().endCell()],
    ['another tag', beginCell().storeUint(2, 8).endCell()],
    ['text that is not UTF-8', beginCell().storeUint(0x01ff, 16).endCell()],
    ['half a byte', beginCell().storeUint(0x010, 12).endCell()],
    ['no dictionary', beginCell().storeUint(0, 8).storeBit(true).storeRef(beginCell().endCell()).endCell()],
  ])('says that %s is none', (_name, cell) => {
    expect(read(cell)).toBe(null);
  });

  it('cuts long values off, and leaves out an attribute that cannot be read', () => {
    const long = 'x'.repeat(20_000);
    const found = read(
      onchain({
        name: snake(long),
        description: chunked('a'.repeat(120), ...Array.from({ length: 100 }, () => 'b'.repeat(120))),
        symbol: beginCell().storeUint(1, 8).storeBit(true).storeRef(beginCell().endCell()).endCell(),
        decimals: snake('9'),
      }),
    );
    expect(found?.data).toEqual({
      name: 'x'.repeat(8_192),
      description: ('a'.repeat(120) + 'b'.repeat(12_000)).slice(0, 8_192),
      decimals: '9',
    });
  });

  it('reads values that stand in their leaf, and go on in cells below it', () => {
    const inline = (text: string) =>
      beginCell()
        .storeUint(0, 8)
        .storeBuffer(Buffer.from(text.slice(0, 40)));
    const values = new Map([
      ['name', inline('Coin')],
      [
        'description',
        inline('long '.repeat(60)).storeRef(
          beginCell().storeStringTail('long '.repeat(60).slice(40)).endCell(),
        ),
      ],
      ['symbol', inline('ODD').storeRef(beginCell().storeUint(0, 4).endCell())],
    ]);
    const dictionary = Dictionary.empty(Dictionary.Keys.Buffer(32), {
      serialize: (value: Builder, builder: Builder) => builder.storeBuilder(value),
      parse: () => beginCell(),
    });
    for (const [name, value] of values) dictionary.set(createHash('sha256').update(name).digest(), value);
    const cell = beginCell().storeUint(0, 8).storeDict(dictionary).endCell();
    expect(read(cell)).toEqual({ type: 'onchain', data: { name: 'Coin', description: 'long '.repeat(60) } });
  });

  it('reads a few paths of a dictionary of a thousand keys', () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`key ${i}`, snake(`${i}`)]));
    const cell = onchain({ ...many, symbol: snake('MANY') });
    expect(read(cell)).toEqual({ type: 'onchain', data: { symbol: 'MANY' } });
  });
});
