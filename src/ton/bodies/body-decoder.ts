import { BocError } from '../boc/boc-error.ts';
import { CellError } from '../boc/cell-error.ts';
import type { CellSlice } from '../boc/cell-slice.ts';
import { openBag } from '../boc/open-bag.ts';
import { attempt } from '../schema/attempt.ts';
import type { CompiledConstructor } from '../schema/compiled-constructor.ts';
import type { Scope } from '../schema/readers.ts';
import { type Budget, type Json, LimitError, type LimitReason, Reading } from '../schema/reading.ts';
import type { BodyLayouts } from './body-layouts.ts';

const NO_VARIABLES: Scope = new Map();
const OP_BITS = 32;
/** Maximum depth of nested bodies; deeper ones stay bags of cells (v3-rules.md 10). */
const MAX_NESTED = 10;

const EMPTY_CELL: Json = { '@type': 'empty_cell' };

/** Why a body is not decoded: `unknown` no layout fits, `malformed` it is no bag of cells, or a limit. */
export type Undecoded = 'unknown' | 'malformed' | LimitReason;

/** Value that a body is shown as, or why it is not. */
export type DecodedBody = { readonly value: Json } | { readonly undecoded: Undecoded };

/** Decodes message bodies and payloads by their layouts (v3-models.md 6.1, v3-rules.md 10). */
export class BodyDecoder {
  private readonly layouts: BodyLayouts;

  constructor(layouts: BodyLayouts) {
    this.layouts = layouts;
  }

  /** Returns the name of an unsigned opcode, or null if it is unknown. */
  getName(op: number): string | null {
    return this.layouts.names.get(op) ?? null;
  }

  /** Decodes a bag of cells with one root, up to the budget. Never throws because of the input. */
  decode(bag: Uint8Array, budget: Budget): DecodedBody {
    try {
      const slice = openBag(bag);
      const value = this.show(slice, new Reading(slice, budget, this.showNested));
      return value === null ? { undecoded: 'unknown' } : { value };
    } catch (error) {
      if (error instanceof LimitError) return { undecoded: error.reason };
      if (error instanceof BocError || error instanceof CellError) return { undecoded: 'malformed' };
      throw error;
    }
  }

  private readonly showNested = (slice: CellSlice, reading: Reading): Json | null => {
    if (reading.nested === MAX_NESTED) return null;
    reading.nested++;
    try {
      return this.show(slice, reading);
    } finally {
      reading.nested--;
    }
  };

  /** Shows a body from its first bit; null if no layout fits. @throws LimitError */
  private show(slice: CellSlice, reading: Reading): Json | null {
    if (slice.done()) return EMPTY_CELL;
    if (slice.bitsLeft < OP_BITS) return null;
    const { byOp, signed, withoutOp, names } = this.layouts;
    const op = slice.peekUint(OP_BITS);
    if (names.has(op)) return firstThatFits(byOp.get(op) ?? [], slice, reading, false);
    return firstThatFits(signed, slice, reading, true) ?? firstThatFits(withoutOp, slice, reading, false);
  }
}

/** Returns the value that the first fitting layout reads. `isExact`: no data may remain after it. */
function firstThatFits(
  layouts: readonly CompiledConstructor[],
  slice: CellSlice,
  reading: Reading,
  isExact: boolean,
): Json | null {
  return withoutTraces(() => firstFit(layouts, slice, reading, isExact));
}

/**
 * Hundreds of layouts fail in a page, and their stack traces are never shown. Building them took a third of the time.
 */
function withoutTraces<T>(work: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function firstFit(
  layouts: readonly CompiledConstructor[],
  slice: CellSlice,
  reading: Reading,
  isExact: boolean,
): Json | null {
  for (const layout of layouts) {
    if (!layout.hasRoom(slice) || (isExact && !layout.canTakeAll(slice))) continue;
    const trial = slice.clone();
    const value = reading.in(trial, () => attempt(reading, () => layout.read(reading, NO_VARIABLES)));
    if (!(value instanceof CellError) && (!isExact || trial.done())) return value;
  }
  return null;
}
