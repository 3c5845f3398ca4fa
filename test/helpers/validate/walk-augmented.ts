import type { Boc } from '../../../src/ton/boc/boc.ts';
import { CellSlice } from '../../../src/ton/boc/cell-slice.ts';
import { PRUNED } from '../../../src/ton/boc/cell-type.ts';
import { CellBuilder } from '../../../src/ton/cell/cell-builder.ts';
import { storeLabel } from '../../../src/ton/cell/store-label.ts';
import { toHex } from '../../../src/ton/hash/hex.ts';
import { type BitString, putBits, putOne } from '../../../src/ton/tlb/bit-string.ts';
import { loadLabel } from '../../../src/ton/tlb/inline-hashmap.ts';
import type { Findings } from './findings.ts';

/** Augmentation of a kind of HashmapAug. */
export interface ExtraRules<E> {
  readonly load: (slice: CellSlice) => E;
  readonly fork: (left: E, right: E) => E;
  readonly empty: E;
  readonly same: (a: E, b: E) => boolean;
  readonly text: (extra: E) => string;
}

/** A dictionary to walk. `leaf` reads the value and returns its expected extra, null if unknown. */
export interface Augmented<E> {
  readonly what: string;
  readonly keyBits: number;
  readonly rules: ExtraRules<E>;
  readonly leaf: (key: Uint8Array, value: CellSlice, extra: E) => E | null;
  /** Called for pruned edges: all keys with these first bits are hidden. */
  readonly pruned?: (prefix: Uint8Array, bits: number) => void;
}

/**
 * Checks a `HashmapAugE`: the extra of every leaf, of every fork and of the root, and that labels have their shortest
 * form. Pruned edges and the sums above them are skipped. The slice is after it at the end.
 *
 * @returns the extra of the root
 */
export function walkAugmentedE<E>(slice: CellSlice, dict: Augmented<E>, findings: Findings): E {
  const root = slice.maybeRef();
  const stated = dict.rules.load(slice);
  const sum = root < 0 ? dict.rules.empty : walkCell(slice.boc, root, dict, findings, start(dict));
  compare(dict, findings, 'root', sum, stated);
  return stated;
}

/** The same for a `HashmapAug` with an inline root edge. */
export function walkAugmentedInline<E>(slice: CellSlice, dict: Augmented<E>, findings: Findings): E {
  return walkEdge(slice, dict, findings, start(dict), false);
}

interface Position {
  readonly key: Uint8Array;
  readonly bits: number;
}

function start<E>({ keyBits }: Augmented<E>): Position {
  return { key: new Uint8Array((keyBits + 7) >> 3), bits: 0 };
}

function walkCell<E>(boc: Boc, cell: number, dict: Augmented<E>, findings: Findings, at: Position): E | null {
  if (boc.type[cell] === PRUNED) {
    dict.pruned?.(at.key, at.bits);
    return null;
  }
  return walkEdge(new CellSlice(boc, cell), dict, findings, at, true);
}

function walkEdge<E>(
  slice: CellSlice,
  dict: Augmented<E>,
  findings: Findings,
  { key, bits }: Position,
  fillsCell: boolean,
): E {
  const { what, keyBits, rules } = dict;
  const from = slice.bitPosition;
  const label = loadLabel(slice, keyBits - bits);
  checkLabel(label, keyBits - bits, slice.bitPosition - from, `${what} ${toHex(key)}/${bits}`, findings);
  const here = key.slice();
  putBits(here, bits, label);
  const end = bits + label.bitLength;
  if (end === keyBits) {
    const stated = rules.load(slice);
    compare(dict, findings, toHex(here), dict.leaf(here, slice, stated), stated);
    if (fillsCell) slice.end(what);
    return stated;
  }
  const [left, right] = [slice.ref(), slice.ref()];
  const stated = rules.load(slice);
  if (fillsCell) slice.end(what);
  const ofLeft = walkCell(slice.boc, left, dict, findings, { key: here, bits: end + 1 });
  const rightKey = here.slice();
  putOne(rightKey, end);
  const ofRight = walkCell(slice.boc, right, dict, findings, { key: rightKey, bits: end + 1 });
  const sum = ofLeft === null || ofRight === null ? null : rules.fork(ofLeft, ofRight);
  compare(dict, findings, `${toHex(here)}/${end}`, sum, stated);
  return stated;
}

function compare<E>(
  { what, rules }: Augmented<E>,
  findings: Findings,
  where: string,
  computed: E | null,
  stated: E,
): void {
  if (computed === null) return;
  const [expected, found] = [rules.text(computed), rules.text(stated)];
  if (rules.same(computed, stated)) findings.holds(`${what} extra`, where, true);
  else findings.equal(`${what} extra`, where, expected, found);
}

function checkLabel(label: BitString, max: number, length: number, where: string, findings: Findings): void {
  const builder = new CellBuilder();
  storeLabel(builder, { key: label.bytes, start: 0, end: label.bitLength }, max);
  findings.equal('shortest label', where, builder.bitLength, length);
}
