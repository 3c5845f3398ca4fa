/** Writer shared by the packs of messages and of states. All integers are little endian. */
import type { CurrencyEntries } from '../../tables/column-type.ts';
import type { GrowableBytes } from './growable-bytes.ts';

export function writeU16(out: GrowableBytes, value: number): void {
  const at = out.grow(2);
  out.view.setUint16(at, value, true);
}

export function writeU32(out: GrowableBytes, value: number): void {
  const at = out.grow(4);
  out.view.setUint32(at, value, true);
}

export function writeBytes(out: GrowableBytes, bytes: Uint8Array): void {
  const at = out.grow(bytes.length);
  out.bytes.set(bytes, at);
}

/** u8 length, then that many bytes, least significant first. */
export function writeAmount(out: GrowableBytes, amount: bigint): void {
  const lengthAt = out.grow(1);
  let length = 0;
  for (let rest = amount; rest > 0n; rest >>= 8n) {
    const at = out.grow(1);
    out.bytes[at] = Number(rest & 0xffn);
    length++;
  }
  out.bytes[lengthAt] = length;
}

/** u16 count, then u32 id and amount each. @throws RangeError for more entries than that */
export function writeCurrencies(out: GrowableBytes, entries: CurrencyEntries): void {
  if (entries.length > 0xffff) throw new RangeError(`${entries.length} currencies, a pack can contain 65535`);
  writeU16(out, entries.length);
  for (const [id, amount] of entries) {
    writeU32(out, id);
    writeAmount(out, amount);
  }
}
