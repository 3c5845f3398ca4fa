import { Address, type Builder, beginCell } from '@ton/core';
import { afterAll, describe, expect, it } from 'vitest';
import { knownBodies } from '../../src/api/known-bodies.ts';
import { Budget } from '../../src/ton/schema/reading.ts';
import { between } from './contract-more.ts';
import { cellsOf, contractText } from './contract-tables.ts';

/*
 * Compares the layouts of decoded-bodies.md with the decoder: the name of every opcode and, for each layout of plain
 * values, a body written from the notation, whose fields must come back in order with their values.
 */

interface Layout {
  readonly op: number;
  readonly name: string;
  readonly fields: readonly (readonly [name: string, notation: string])[];
}

/** Rows of the groups of bodies: an op in hex, a name, its fields. */
function layouts(): readonly Layout[] {
  const groups = contractText('decoded-bodies.md').split(/^## Parts/m)[0]!;
  return groups.split('\n').flatMap((line) => {
    const [op = '', name = '', fields = ''] = cellsOf(line);
    if (!/^[0-9a-f]{8}$/.test(op)) return [];
    return [{ op: Number.parseInt(op, 16), name, fields: splitFields(fields) }];
  });
}

/** Commas within brackets separate nothing. */
function splitFields(text: string): readonly (readonly [string, string])[] {
  const parts: string[] = [''];
  let depth = 0;
  for (const one of text) {
    depth += /[([{]/.test(one) ? 1 : /[)\]}]/.test(one) ? -1 : 0;
    if (one === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += one;
  }
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== '–')
    .map((part) => {
      const [name = '', ...notation] = part.split(' ');
      return [name, notation.join(' ')] as const;
    });
}

const ADDRESS = new Address(0, Buffer.alloc(32, 7));

/** Writes a field of a plain notation, and its expected value; null if the notation names other layouts. */
function written(
  notation: string,
  at: number,
): { store(builder: Builder): void; readonly shown?: string } | null {
  const number = /^([uin])(\d+)$/.exec(notation);
  if (number) {
    const [bits, value] = [Number(number[2]), Math.min(at + 1, 2 ** (Number(number[2]) - 1) - 1)];
    if (bits > 256) return null;
    return { store: (builder) => void builder.storeUint(value, bits), shown: `${value}` };
  }
  const bits = /^b(\d+)$/.exec(notation)?.[1];
  if (bits !== undefined) {
    const [count, last] = [Number(bits), Number(bits) % 8];
    return {
      store: (builder) => void builder.storeBuffer(Buffer.alloc((count - last) / 8, 1)).storeUint(0, last),
    };
  }
  if (['v16', 'coins', 'grams'].includes(notation))
    return { store: (builder) => void builder.storeCoins(at + 1) };
  if (notation === 'addr' || notation === 'addrI')
    return { store: (builder) => void builder.storeAddress(ADDRESS) };
  if (notation === 'bool') return { store: (builder) => void builder.storeBit(true), shown: 'true' };
  if (notation === 'M^' || /^(M|dictE)\(.*\)$/.test(notation))
    return { store: (builder) => void builder.storeBit(false) };
  if (notation === '^') return { store: (builder) => void builder.storeRef(beginCell().storeUint(1, 9)) };
  return null;
}

describe('layouts of bodies', () => {
  const all = layouts();
  const byOp = Map.groupBy(all, ({ op }) => op);
  let count = 0;
  const check = <T>(found: T, wanted: T, what: string) => {
    count++;
    expect({ what, found }).toEqual({ what, found: wanted });
  };
  afterAll(() => console.log(`contract, layouts of bodies: ${count} facts checked`));

  it('have the names of the table', () => {
    expect(all.length).toBeGreaterThan(500);
    // The first of several layouts of an op gives the name.
    for (const [op, [first]] of byOp) check(knownBodies().getName(op), first!.name, op.toString(16));
    const [listed = ''] = between(contractText('v3-actions.md'), '## 7. ', '\nSecond names').split('\n## ');
    const pairs = [...listed.matchAll(/([\w,]+)=([0-9a-f]{8})\b/g)];
    expect(pairs.length).toBeGreaterThan(450);
    for (const [, name, op] of pairs)
      check(knownBodies().getName(Number.parseInt(op!, 16)), name!, `op ${op}`);
  });

  it('give back the fields that a body was made of', () => {
    let made = 0;
    for (const { op, name, fields } of all) {
      // The first readable one of several layouts of an op is shown.
      if (byOp.get(op)!.length > 1 || name.includes(',')) continue;
      const parts = fields.map(([, notation], at) => written(notation, at));
      if (parts.some((part) => part === null)) continue;
      const body = beginCell().storeUint(op, 32);
      try {
        for (const part of parts) part!.store(body);
      } catch {
        // Fields that do not fit into one cell.
        continue;
      }
      const decoded = knownBodies().decode(body.endCell().toBoc(), new Budget(2 ** 20));
      const value = 'value' in decoded ? (decoded.value as Readonly<Record<string, unknown>>) : null;
      check(Object.keys(value ?? {}), ['@type', ...fields.map(([field]) => field)], name);
      check(value?.['@type'], name, `${name}: its type`);
      for (const [at, part] of parts.entries())
        if (part!.shown !== undefined)
          check(`${value?.[fields[at]![0]]}`, part!.shown, `${name}.${fields[at]![0]}`);
      made++;
    }
    console.log(`${made} of ${all.length} layouts are made of plain values`);
    expect(made).toBeGreaterThan(200);
  });
});
