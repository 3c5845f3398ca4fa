import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RecordedTrace } from '../../scripts/conformance/trace-fixture.ts';
import { ORDINARY } from '../../src/ton/boc/cell-type.ts';
import type { Cell } from '../../src/ton/cell/cell.ts';
import { CellBuilder } from '../../src/ton/cell/cell-builder.ts';
import { readCell } from '../../src/ton/cell/cells-of-bag.ts';
import { writeBag } from '../../src/ton/cell/write-bag.ts';

const RULES = resolve(import.meta.dirname, '../../src/projections/actions');
const ACCOUNT = /(?<=-?\d:)[0-9A-Fa-f]{64}/g;

/** Accounts that rules know by their address: a trace of other ones is another trace. */
function knownAccounts(): Set<string> {
  const files = readdirSync(RULES, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const text = files.map((name) => readFileSync(join(RULES, name), 'utf8')).join('\n');
  const found = text.match(/[0-9A-Fa-f]{64}/g) ?? [];
  return new Set([...found.map((one) => one.toUpperCase()), '3'.repeat(64), '0'.repeat(64)]);
}

const bitsOf = (hex: string): string =>
  [...hex].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join('');

/** Gives the accounts, hashes and times of a recorded trace other names throughout, also inside of its cells. */
export class Renaming {
  private readonly accounts = new Map<string, string>();
  private readonly bits = new Map<string, string>();
  private readonly seed: string;
  private readonly lt: bigint;

  constructor(recorded: RecordedTrace, seed: string, lt: bigint) {
    this.seed = seed;
    this.lt = lt;
    const known = knownAccounts();
    for (const [found] of JSON.stringify(recorded).matchAll(ACCOUNT)) {
      const old = found.toUpperCase();
      if (known.has(old) || this.accounts.has(old)) continue;
      // The first digit is kept: numbers without their leading zeros keep their length.
      const name =
        old.slice(0, 2) +
        createHash('sha256')
          .update(seed + old)
          .digest('hex')
          .toUpperCase()
          .slice(2);
      this.accounts.set(old, name);
      this.bits.set(bitsOf(old), bitsOf(name));
    }
  }

  /** The trace under other names. */
  trace(recorded: RecordedTrace): RecordedTrace {
    return this.value(recorded, '') as RecordedTrace;
  }

  hash(hash: string): string {
    return createHash('sha256')
      .update(this.seed + hash)
      .digest('base64');
  }

  /** A value of a field: addresses in it, bags of cells, numbers as hex. */
  value(value: unknown, field: string): unknown {
    if (Array.isArray(value)) return value.map((one) => this.value(one, field));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([key, one]) => [this.text(key), this.value(one, key)]),
      );
    if (typeof value !== 'string') return value;
    if (/^(msg_hash|hash|trace_id|tx_hashes)$/.test(field)) return this.hash(value);
    if (/^(lt|created_lt|start_lt|end_lt)$/.test(field)) return String(BigInt(value) + this.lt);
    return value.startsWith('te6') ? this.bag(value) : this.text(value);
  }

  private text(text: string): string {
    if (text.length < 60) return text;
    let renamed = text;
    for (const [old, name] of this.accounts) {
      if (renamed.includes(old)) renamed = renamed.replaceAll(old, name);
      const [small, other] = [old, name].map((one) => one.toLowerCase().replace(/^0+/, ''));
      if (renamed.includes(small!)) renamed = renamed.replaceAll(small!, other!);
    }
    return renamed;
  }

  private bag(bag: string): string {
    const root = readCell(Buffer.from(bag, 'base64'));
    return Buffer.from(writeBag(this.cell(root))).toString('base64');
  }

  /** Exotic cells do not change: their targets are elsewhere. */
  private cell(cell: Cell): Cell {
    if (cell.type !== ORDINARY) return cell;
    let bits = bitsOf(cell.data.toHex()).slice(0, cell.bitLength);
    for (const [old, name] of this.bits) if (bits.includes(old)) bits = bits.replaceAll(old, name);
    const builder = new CellBuilder();
    for (const bit of bits) builder.bit(bit === '1');
    for (const ref of cell.refs) builder.ref(this.cell(ref));
    return builder.cell();
  }
}
