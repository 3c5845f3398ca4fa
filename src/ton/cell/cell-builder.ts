import { copyBits } from '../boc/bits.ts';
import { ORDINARY } from '../boc/cell-type.ts';
import { Cell } from './cell.ts';
import { CellOverflowError } from './cell-overflow-error.ts';

const MAX_BITS = 1023;
const MAX_REFS = 4;
const MAX_BYTES = 128;
/** Zeroed buffers of builders that are done: a new one costs more than all that is written to it. */
const spare: Uint8Array[] = [];
const MAX_SPARE = 64;

/** Writes one cell: bits from left to right, and references. The counterpart of `CellSlice`. */
export class CellBuilder {
  private readonly buffer = spare.pop() ?? new Uint8Array(MAX_BYTES);
  private length = 0;
  private readonly refs: Cell[] = [];

  get bitLength(): number {
    return this.length;
  }

  bit(value: boolean): this {
    this.need(1);
    if (value) this.buffer[this.length >> 3]! |= 0x80 >> (this.length & 7);
    this.length++;
    return this;
  }

  /** Unsigned, 0 to 32 bits. @throws CellOverflowError */
  uint(value: number, bits: number): this {
    if (value >>> 0 !== value || (bits < 32 && value >>> bits !== 0))
      throw new CellOverflowError(`uint${bits}`, 2 ** bits - 1, value);
    this.need(bits);
    for (let left = bits; left > 0; ) {
      const room = 8 - (this.length & 7);
      const count = Math.min(room, left);
      const piece = (value >>> (left - count)) & ((1 << count) - 1);
      this.buffer[this.length >> 3]! |= piece << (room - count);
      this.length += count;
      left -= count;
    }
    return this;
  }

  /** Two's complement, 1 to 32 bits. @throws CellOverflowError */
  int(value: number, bits: number): this {
    const half = 2 ** (bits - 1);
    if (!(value >= -half && value < half)) throw new CellOverflowError(`int${bits}`, half - 1, value);
    return this.uint(value < 0 ? value + 2 * half : value, bits);
  }

  /** Unsigned, any width. @throws CellOverflowError */
  bigUint(value: bigint, bits: number): this {
    if (value < 0n || BigInt.asUintN(bits, value) !== value)
      throw new CellOverflowError(`uint${bits}`, `${bits} bits`, value);
    for (let left = bits; left > 0; ) {
      const count = left % 32 || 32;
      left -= count;
      this.uint(Number(BigInt.asUintN(count, value >> BigInt(left))), count);
    }
    return this;
  }

  u64(value: bigint): this {
    return this.bigUint(value, 64);
  }

  bytes(bytes: Uint8Array): this {
    return this.bits(bytes, 0, bytes.length * 8);
  }

  /** `count` bits of `source` that begin at its bit `from`. */
  bits(source: Uint8Array, from: number, count: number): this {
    this.need(count);
    if ((this.length & 7) === 0) {
      copyBits({ bytes: source, start: 0, bit: from, count }, this.buffer, this.length >> 3);
      this.length += count;
      return this;
    }
    for (let done = 0; done < count; done += 8) this.piece(source, from + done, Math.min(8, count - done));
    return this;
  }

  /** Up to eight bits of `source` that begin at its bit `from`, to any place; there is room for them. */
  private piece(source: Uint8Array, from: number, count: number): void {
    const byte = from >> 3;
    const shift = from & 7;
    let bits = source[byte]! << shift;
    if (shift + count > 8) bits |= source[byte + 1]! >> (8 - shift);
    bits &= (0xff00 >> count) & 0xff;
    const at = this.length >> 3;
    const used = this.length & 7;
    this.buffer[at]! |= bits >> used;
    if (used + count > 8) this.buffer[at + 1]! |= bits << (8 - used);
    this.length += count;
  }

  /** `VarUInteger n` in its only canonical form: as many bytes as the number needs. `lengthBits` as in CellSlice. */
  varUint(value: bigint, lengthBits: number): this {
    const size = value === 0n ? 0 : (value.toString(16).length + 1) >> 1;
    return this.uint(size, lengthBits).bigUint(value, size * 8);
  }

  /** `Coins` (once `Grams`): VarUInteger 16, nanotons. */
  coins(value: bigint): this {
    return this.varUint(value, 4);
  }

  ref(cell: Cell): this {
    if (this.refs.length === MAX_REFS) throw new CellOverflowError('references', MAX_REFS, MAX_REFS + 1);
    this.refs.push(cell);
    return this;
  }

  /** `Maybe ^X`. */
  maybeRef(cell: Cell | null): this {
    this.bit(cell !== null);
    return cell === null ? this : this.ref(cell);
  }

  /** All bits and references of a cell. */
  append(cell: Cell): this {
    this.bits(cell.data, 0, cell.bitLength);
    for (const ref of cell.refs) this.ref(ref);
    return this;
  }

  /** Value that `store` writes. */
  with<T>(store: (builder: CellBuilder, value: T) => void, value: T): this {
    store(this, value);
    return this;
  }

  /** The cell; an exotic one begins with its type. The builder takes nothing afterwards. */
  cell(type: number = ORDINARY): Cell {
    const { length, buffer } = this;
    const size = (length + 7) >> 3;
    const cell = new Cell(length, buffer.slice(0, size), this.refs, type);
    this.length = MAX_BITS + 1;
    if (spare.length < MAX_SPARE) spare.push(buffer.fill(0, 0, size));
    return cell;
  }

  private need(bits: number): void {
    if (this.length + bits > MAX_BITS) throw new CellOverflowError('bits', MAX_BITS, this.length + bits);
  }
}

/** A cell of its own that `store` writes. */
export function cellWith<T>(store: (builder: CellBuilder, value: T) => void, value: T): Cell {
  return new CellBuilder().with(store, value).cell();
}
