import type { CurrencyEntries } from './column-type.ts';
import {
  ADDRESS_KINDS,
  BOUNCE,
  BOUNCED,
  DIRECTIONS,
  HAS_EXTRA_FLAGS,
  HAS_HASH_NORM,
  HAS_INIT,
  HAS_OPCODE,
  HAS_VALUE_EXTRA,
  IHR_DISABLED,
  KINDS,
  MESSAGE_PACK_VERSION,
  MessagePackError,
  type PackedAddress,
  type PackedMessage,
} from './packed-message.ts';

/**
 * Reads the messages back, in the order in which they were packed. Hashes, bodies and address bits are views into
 * `bytes`. Throws MessagePackError for another version, missing bytes or bytes left over.
 */
export function unpackMessages(bytes: Uint8Array): PackedMessage[] {
  if (bytes[0] !== MESSAGE_PACK_VERSION) {
    throw new MessagePackError(`version ${MESSAGE_PACK_VERSION} expected, ${bytes[0]} found`);
  }
  const reader = new PackReader(bytes);
  const messages: PackedMessage[] = [];
  try {
    for (let left = reader.u16(); left > 0; left--) messages.push(readMessage(reader));
  } catch (error) {
    if (error instanceof RangeError) throw new MessagePackError('the bytes end inside a message');
    throw error;
  }
  if (reader.at !== bytes.length) {
    throw new MessagePackError(`${bytes.length} bytes, ${reader.at} of them read`);
  }
  return messages;
}

class PackReader {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  at = 1;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** The place of the next `size` bytes; DataView throws RangeError where they are not there. */
  take(size: number): number {
    const at = this.at;
    this.at = at + size;
    return at;
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
    const length = this.view.getUint8(this.take(1));
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
}

function readMessage(reader: PackReader): PackedMessage {
  const flags = reader.u16();
  const hash = reader.chunk(32);
  const hashNorm = flags & HAS_HASH_NORM ? reader.chunk(32) : hash;
  const createdLt = reader.u64();
  const createdAt = reader.u32();
  const source = readAddress(reader, (flags >> 3) & 3);
  const destination = readAddress(reader, (flags >> 5) & 3);
  const value = reader.amount();
  const fwdFee = reader.amount();
  const ihrFee = reader.amount();
  const importFee = reader.amount();
  const extraFlags = flags & HAS_EXTRA_FLAGS ? reader.amount() : null;
  const valueExtra = flags & HAS_VALUE_EXTRA ? readCurrencies(reader) : NO_CURRENCIES;
  const opcode = flags & HAS_OPCODE ? reader.u32() : null;
  const bodyHash = reader.chunk(32);
  const body = reader.chunk(reader.u32());
  const initHash = flags & HAS_INIT ? reader.chunk(32) : null;
  const init = flags & HAS_INIT ? reader.chunk(reader.u32()) : null;
  return {
    direction: DIRECTIONS[flags & 1] as PackedMessage['direction'],
    kind: kindOf((flags >> 1) & 3),
    hash,
    hashNorm,
    createdLt,
    createdAt,
    source,
    destination,
    value,
    valueExtra,
    fwdFee,
    ihrFee,
    importFee,
    extraFlags,
    ihrDisabled: (flags & IHR_DISABLED) !== 0,
    bounce: (flags & BOUNCE) !== 0,
    bounced: (flags & BOUNCED) !== 0,
    opcode,
    bodyHash,
    body,
    initHash,
    init,
  };
}

const NO_CURRENCIES: CurrencyEntries = [];

function kindOf(code: number): PackedMessage['kind'] {
  const kind = KINDS[code];
  if (!kind) throw new MessagePackError(`message kind ${code}`);
  return kind;
}

function readCurrencies(reader: PackReader): CurrencyEntries {
  return Array.from({ length: reader.u16() }, () => [reader.u32(), reader.amount()] as const);
}

const NO_ADDRESS: PackedAddress = { kind: 'none' };

function readAddress(reader: PackReader, code: number): PackedAddress {
  const kind = ADDRESS_KINDS[code] as PackedAddress['kind'];
  if (kind === 'none') return NO_ADDRESS;
  if (kind === 'std') return { kind, workchain: reader.i32(), hash: reader.chunk(32) };
  const workchain = kind === 'var' ? reader.i32() : 0;
  const bitLength = reader.u16();
  const bits = reader.chunk((bitLength + 7) >> 3);
  return kind === 'var' ? { kind, workchain, bits, bitLength } : { kind, bits, bitLength };
}
