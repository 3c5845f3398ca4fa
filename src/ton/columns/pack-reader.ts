import type { CurrencyEntries } from '../../tables/column-type.ts';

export const NO_CURRENCIES: CurrencyEntries = [];

/**
 * Reads a pack of messages or states after its version byte. The caller checks what does not follow from the format.
 * Chunks are views. Throws RangeError if the bytes end early.
 */
export class PackReader {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  at = 1;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Returns the start of the next `size` bytes. DataView throws RangeError if they are missing. */
  take(size: number): number {
    const at = this.at;
    this.at = at + size;
    return at;
  }

  u8(): number {
    return this.view.getUint8(this.take(1));
  }

  u16(): number {
    return this.view.getUint16(this.take(2), true);
  }

  u32(): number {
    return this.view.getUint32(this.take(4), true);
  }

  i32(): number {
    return this.view.getInt32(this.take(4), true);
  }

  u64(): bigint {
    return this.view.getBigUint64(this.take(8), true);
  }

  chunk(size: number): Uint8Array {
    const at = this.take(size);
    if (at + size > this.bytes.length) throw new RangeError('chunk');
    return this.bytes.subarray(at, at + size);
  }

  amount(): bigint {
    const length = this.u8();
    let at = this.take(length) + length;
    if (at > this.bytes.length) throw new RangeError('amount');
    if (length <= 6) return BigInt(this.smallAmount(at, length));
    let value = 0n;
    for (let i = 0; i < length; i++) value = (value << 8n) | BigInt(this.bytes[--at] as number);
    return value;
  }

  /** At most 48 bits: exact as a number, and much cheaper than bigint arithmetic. */
  private smallAmount(end: number, length: number): number {
    let value = 0;
    for (let i = 1; i <= length; i++) value = value * 256 + (this.bytes[end - i] as number);
    return value;
  }

  currencies(): CurrencyEntries {
    return Array.from({ length: this.u16() }, () => [this.u32(), this.amount()] as const);
  }
}
