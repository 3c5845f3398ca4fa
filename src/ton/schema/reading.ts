import type { Boc } from '../boc/boc.ts';
import { CellSlice } from '../boc/cell-slice.ts';

/** JSON of a TL-B value: numbers are decimal text, bits upper-case hex (v3-models.md 6.1). */
export type Json = string | boolean | JsonFields | Json[];

/** A constructor's fields in order, after `@type`. */
export interface JsonFields {
  [name: string]: Json;
}

/** Why reading was given up: `size` more than may be shown, `depth` nested deeper. */
export type LimitReason = 'size' | 'depth';

/** Reading was given up, because the value is larger than what may be shown of one. */
export class LimitError extends Error {
  override readonly name = 'LimitError';
  readonly reason: LimitReason;

  constructor(reason: LimitReason) {
    super(`more than may be shown: ${reason}`);
    this.reason = reason;
  }
}

/** Types and cells within one another; wallets send 255 messages in a chain of that many cells. */
const MAX_DEPTH = 512;
/** Cost of a value in addition to its text: about the bytes of its key and punctuation in JSON. */
const VALUE_COST = 32;

/**
 * Size that may still be shown, in about the bytes of its JSON. References may meet in one cell, so that a bag of a few
 * hundred cells can spell out more values than any computer could write.
 */
export class Budget {
  private left: number;

  constructor(bytes: number) {
    this.left = bytes;
  }

  /** Bytes that are left; less than none after what was too large. */
  get remaining(): number {
    return this.left;
  }

  /** Takes what a value with a text of some length costs. @throws LimitError */
  take(textLength: number): void {
    this.left -= VALUE_COST + textLength;
    if (this.left < 0) throw new LimitError('size');
  }
}

/** Shows a cell of no declared type, from a slice on: null leaves it a bag of cells in base64. */
export type ShowCell = (slice: CellSlice, reading: Reading) => Json | null;

/** One value that is being read: a place in a bag, and what is left of the limits. */
export class Reading {
  readonly boc: Boc;
  readonly budget: Budget;
  readonly showCell: ShowCell;
  /** The place. */
  slice: CellSlice;
  /** Cells without a declared type that the place is within. */
  nested = 0;
  private depth = 0;

  constructor(slice: CellSlice, budget: Budget, showCell: ShowCell) {
    this.boc = slice.boc;
    this.slice = slice;
    this.budget = budget;
    this.showCell = showCell;
  }

  /** A text as a value. @throws LimitError */
  text(value: string): string {
    this.budget.take(value.length);
    return value;
  }

  /** A number as a value. @throws LimitError */
  number(value: number | bigint): string {
    return this.text(`${value}`);
  }

  /** Reads within another cell, then goes on here. */
  in<T>(slice: CellSlice, read: () => T): T {
    const outer = this.slice;
    this.slice = slice;
    try {
      return read();
    } finally {
      this.slice = outer;
    }
  }

  /** Reads one level deeper. @throws LimitError */
  deeper<T>(read: () => T): T {
    if (this.depth === MAX_DEPTH) throw new LimitError('depth');
    this.depth++;
    try {
      return read();
    } finally {
      this.depth--;
    }
  }

  /** Reads the next reference as a cell of its own. */
  reference<T>(read: () => T): T {
    return this.in(new CellSlice(this.boc, this.slice.ref()), read);
  }
}
