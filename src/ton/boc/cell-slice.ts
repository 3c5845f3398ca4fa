import { type BitRange, copyBits } from './bits.ts';
import type { Boc } from './boc.ts';
import { CellError } from './cell-error.ts';
import { ORDINARY } from './cell-type.ts';

/** Two halves in, one number out. */
const WORD = new DataView(new ArrayBuffer(8));

/**
 * A cursor over the bits and references of one cell of a bag. Every read beyond the cell throws
 * `CellError('underflow')` and moves nothing. `reset` re-uses the object for another cell of the same bag.
 */
export class CellSlice {
  readonly boc: Boc;
  /** Index of the cell in `boc`. */
  cell = -1;
  private start = 0;
  private bitEnd = 0;
  private refEnd = 0;
  /** Bits consumed from the start of the cell's data. */
  bitPosition = 0;
  /** References consumed. */
  refPosition = 0;

  /**
   * At the start of an ordinary cell; with -1 nowhere: nothing can be read until it is reset.
   * @throws CellError exotic: a pruned branch or other exotic cell; `resetAny` takes those
   */
  constructor(boc: Boc, cell: number) {
    this.boc = boc;
    if (cell !== -1) this.reset(cell);
  }

  /**
   * To the start of an ordinary cell.
   * @throws CellError exotic
   */
  reset(cell: number): this {
    const type = this.boc.type[cell];
    if (type !== ORDINARY && type !== undefined) {
      throw new CellError('exotic', { cell, bit: 0, expected: 'an ordinary cell', found: `type ${type}` });
    }
    return this.resetAny(cell);
  }

  /** To the start of any cell; an exotic cell's data begins with its type byte. */
  resetAny(cell: number): this {
    const { boc } = this;
    const start = boc.dataStart[cell];
    if (start === undefined) {
      throw new CellError('value', {
        cell,
        bit: 0,
        what: 'cell index',
        expected: `below ${boc.cellCount}`,
        found: cell,
      });
    }
    this.cell = cell;
    this.start = start;
    this.bitEnd = boc.bitLength[cell]!;
    this.refEnd = boc.refCount[cell]!;
    this.bitPosition = 0;
    this.refPosition = 0;
    return this;
  }

  /** An independent cursor at the same place. */
  clone(): CellSlice {
    const copy = new CellSlice(this.boc, -1);
    copy.cell = this.cell;
    copy.start = this.start;
    copy.bitEnd = this.bitEnd;
    copy.refEnd = this.refEnd;
    copy.bitPosition = this.bitPosition;
    copy.refPosition = this.refPosition;
    return copy;
  }

  /** The rest of this slice up to the position of another slice of the same cell. */
  upTo(end: CellSlice): CellSlice {
    const piece = this.clone();
    piece.bitEnd = end.bitPosition;
    piece.refEnd = end.refPosition;
    return piece;
  }

  get bitsLeft(): number {
    return this.bitEnd - this.bitPosition;
  }

  /** The bits that are left. */
  get rest(): BitRange {
    return { bytes: this.boc.bytes, start: this.start, bit: this.bitPosition, count: this.bitsLeft };
  }

  get refsLeft(): number {
    return this.refEnd - this.refPosition;
  }

  bit(): boolean {
    const p = this.bitPosition;
    if (p >= this.bitEnd) this.underflow('1 bit', this.bitsLeft);
    this.bitPosition = p + 1;
    return (this.boc.bytes[this.start + (p >> 3)]! & (0x80 >> (p & 7))) !== 0;
  }

  /** Unsigned number of `n` bits, 0 to 32. */
  uint(n: number): number {
    const value = this.peekUint(n);
    this.bitPosition += n;
    return value;
  }

  /** Two's complement number of `n` bits, 0 to 32. */
  int(n: number): number {
    const value = this.uint(n);
    return n > 0 && value >= 2 ** (n - 1) ? value - 2 ** n : value;
  }

  /** The unsigned number of the next `n` bits, 0 to 32, without consuming them. */
  peekUint(n: number): number {
    if (n > this.bitEnd - this.bitPosition) this.underflow(`${n} bits`, this.bitsLeft);
    if (n === 0) return 0;
    const { bytes } = this.boc;
    const p = this.bitPosition;
    let at = this.start + (p >> 3);
    let have = 8 - (p & 7);
    let value = bytes[at]! & (0xff >> (p & 7));
    if (n <= 24) {
      while (have < n) {
        value = (value << 8) | bytes[++at]!;
        have += 8;
      }
      return value >>> (have - n);
    }
    // Up to 40 bits are gathered, which shifts cannot hold.
    while (have < n) {
      value = value * 256 + bytes[++at]!;
      have += 8;
    }
    return Math.floor(value / 2 ** (have - n));
  }

  /** Unsigned number of `n` bits, any width. */
  bigUint(n: number): bigint {
    if (n > this.bitEnd - this.bitPosition) this.underflow(`${n} bits`, this.bitsLeft);
    if (n <= 32) return BigInt(this.uint(n));
    // The odd bits first, so that what remains is whole words.
    const odd = n & 63;
    let left = n - odd;
    let value = 0n;
    if (odd !== 0) value = this.word(odd);
    else {
      value = this.word(64);
      left -= 64;
    }
    for (; left > 0; left -= 64) value = (value << 64n) | this.word(64);
    return value;
  }

  /** Unsigned number of `n` bits, 1 to 64, which are there: one bigint is made, where shifting makes three. */
  private word(n: number): bigint {
    if (n <= 32) return BigInt(this.uint(n));
    const high = this.uint(n - 32);
    WORD.setUint32(0, high);
    WORD.setUint32(4, this.uint(32));
    return WORD.getBigUint64(0);
  }

  /** Two's complement number of `n` bits, any width. */
  bigInt(n: number): bigint {
    return BigInt.asIntN(n, this.bigUint(n));
  }

  u64(): bigint {
    return this.bigUint(64);
  }

  /** `n` whole bytes from any bit position, as a fresh copy. */
  bytes(n: number): Uint8Array {
    if (n * 8 > this.bitsLeft) this.underflow(`${n * 8} bits`, this.bitsLeft);
    const copy = new Uint8Array(n);
    this.bytesInto(copy, 0, n);
    return copy;
  }

  /** `n` whole bytes from any bit position, written to `target` at `at`. */
  bytesInto(target: Uint8Array, at: number, n: number): void {
    if (n * 8 > this.bitsLeft) this.underflow(`${n * 8} bits`, this.bitsLeft);
    const { boc, start, bitPosition: bit } = this;
    copyBits({ bytes: boc.bytes, start, bit, count: n * 8 }, target, at);
    this.bitPosition += n * 8;
  }

  /**
   * `VarUInteger n`: a length in bytes of `lengthBits` bits (4 for n = 16, 5 for n = 32, 3 for n = 7), then the number.
   */
  varUint(lengthBits: number): bigint {
    const bits = this.peekUint(lengthBits) * 8;
    if (lengthBits + bits > this.bitsLeft) this.underflow(`${lengthBits + bits} bits`, this.bitsLeft);
    this.bitPosition += lengthBits;
    if (this.boc.canonical && bits > 0 && this.peekUint(8) === 0) this.refusePadded();
    return this.bigUint(bits);
  }

  /** `Coins` (once `Grams`): VarUInteger 16, nanotons. */
  coins(): bigint {
    return this.varUint(4);
  }

  /** The next reference, as a cell index. */
  ref(): number {
    const k = this.refPosition;
    if (k >= this.refEnd) this.underflow('1 reference', this.refsLeft);
    this.refPosition = k + 1;
    return this.boc.refs[this.cell * 4 + k]!;
  }

  /** `Maybe ^X`: the cell index, or -1 for none. */
  maybeRef(): number {
    if (this.peekUint(1) === 0) {
      this.bitPosition++;
      return -1;
    }
    const cell = this.ref();
    this.bitPosition++;
    return cell;
  }

  skipBits(n: number): void {
    if (n > this.bitsLeft) this.underflow(`${n} bits`, this.bitsLeft);
    this.bitPosition += n;
  }

  skipRefs(n: number): void {
    if (n > this.refsLeft) this.underflow(`${n} references`, this.refsLeft);
    this.refPosition += n;
  }

  /** Whether nothing is left. */
  done(): boolean {
    return this.bitPosition === this.bitEnd && this.refPosition === this.refEnd;
  }

  /**
   * That nothing is left after `what`.
   * @throws CellError leftover
   */
  end(what: string): void {
    if (this.done()) return;
    throw new CellError('leftover', {
      cell: this.cell,
      bit: this.bitPosition,
      what,
      expected: 'the end of the cell',
      found: `${this.bitsLeft} bits and ${this.refsLeft} references more`,
    });
  }

  private refusePadded(): never {
    throw new CellError('value', {
      cell: this.cell,
      bit: this.bitPosition,
      what: 'VarUInteger',
      expected: 'no leading zero byte',
      found: 0,
    });
  }

  private underflow(expected: string, found: number): never {
    throw new CellError('underflow', {
      cell: this.cell,
      bit: this.bitPosition,
      expected,
      found: `${found} left`,
    });
  }
}
