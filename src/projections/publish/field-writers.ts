/**
 * Writers that copy a decoded column into a field of an Avro record, chosen by the pair of types. No value becomes an
 * object.
 */
import { DataError } from '../../platform/errors/error-kinds.ts';
import { enumCodes, parseColumnType } from '../../tables/column-type.ts';
import type { AvroType } from './avro-fields.ts';
import type { AvroOutput } from './avro-output.ts';

/** Writes one field, row after row in ascending order, from the column's streams. */
export interface FieldWriter {
  bind(streams: readonly Buffer[]): void;
  write(row: number, out: AvroOutput): void;
}

/** The schema asks for something that the column cannot give. */
export class FieldMismatchError extends DataError {
  readonly field: string;
  constructor(field: string, column: string, avro: AvroType) {
    super(`field ${field}: a column of type ${column} cannot be written as ${JSON.stringify(avro)}`);
    this.field = field;
  }
}

type Write = (stream: Buffer, row: number, out: AvroOutput) => void;

/** @throws FieldMismatchError */
export function fieldWriter(field: string, column: string, avro: AvroType): FieldWriter {
  const found = column.startsWith('Nullable(')
    ? nullable(column.slice('Nullable('.length, -1), avro)
    : special(column, avro);
  if (found) return found;
  const write = plain(column, avro);
  if (!write) throw new FieldMismatchError(field, column, avro);
  return new PlainWriter(write);
}

/** Columns of one stream whose values have a fixed width. */
class PlainWriter implements FieldWriter {
  readonly #write: Write;
  #stream: Buffer = Buffer.alloc(0);

  constructor(write: Write) {
    this.#write = write;
  }

  bind([stream]: readonly Buffer[]): void {
    this.#stream = stream as Buffer;
  }

  write(row: number, out: AvroOutput): void {
    this.#write(this.#stream, row, out);
  }
}

function plain(column: string, avro: AvroType): Write | null {
  if (column.startsWith('Enum8(')) return enumeration(column as `Enum8(${string})`, avro);
  const is = (type: string, written: AvroType) =>
    column === type && JSON.stringify(avro) === JSON.stringify(written);
  if (is('Bool', 'boolean')) return (stream, row, out) => out.boolean(stream[row] === 1);
  if (is('UInt8', 'int')) return (stream, row, out) => out.long(stream[row] as number);
  if (is('Int8', 'int')) return (stream, row, out) => out.long(stream.readInt8(row));
  if (is('UInt16', 'int')) return (stream, row, out) => out.long(stream.readUInt16LE(row * 2));
  if (is('Int32', 'int')) return (stream, row, out) => out.long(stream.readInt32LE(row * 4));
  if (is('UInt32', 'long')) return (stream, row, out) => out.long(stream.readUInt32LE(row * 4));
  if (is('UInt64', 'long')) return writeUint64;
  if (is('UInt64', 'string'))
    return (stream, row, out) =>
      out.ascii(
        stream
          .readBigUInt64LE(row * 8)
          .toString(16)
          .padStart(16, '0'),
      );
  if (is('UInt128', 'string')) return (stream, row, out) => out.ascii(decimal(stream, row * 16, 16));
  if (column !== 'FixedString(32)') return null;
  if (isHash(avro)) return (stream, row, out) => out.fixed(stream, row * 32, 32);
  return isNullOr(avro) && isHash(avro[1]) ? writeHashOrNull : null;
}

/** 64 bits read as a signed number; nearly all of them are small. */
function writeUint64(stream: Buffer, row: number, out: AvroOutput): void {
  const high = stream.readUInt32LE(row * 8 + 4);
  if (high < 0x200000) out.long(high * 0x1_0000_0000 + stream.readUInt32LE(row * 8));
  else out.bigLong(stream.readBigInt64LE(row * 8));
}

function writeHashOrNull(stream: Buffer, row: number, out: AvroOutput): void {
  let bits = 0;
  for (let i = row * 32; i < row * 32 + 32; i++) bits |= stream[i] as number;
  out.long(bits === 0 ? 0 : 1);
  if (bits !== 0) out.fixed(stream, row * 32, 32);
}

function decimal(stream: Buffer, at: number, width: 16 | 32): string {
  let value = 0n;
  for (let offset = width - 8; offset >= 0; offset -= 8)
    value = (value << 64n) | stream.readBigUInt64LE(at + offset);
  return value.toString();
}

/** An enum of Avro is the place of the name in its list. */
function enumeration(column: `Enum8(${string})`, avro: AvroType): Write | null {
  if (!isEnum(avro)) return null;
  const places = new Map<number, number>();
  for (const [name, code] of Object.entries<number>(enumCodes(column)))
    places.set(code, avro.symbols.indexOf(name));
  if ([...places.values()].includes(-1)) return null;
  return (stream, row, out) => out.long(places.get(stream.readInt8(row)) as number);
}

function nullable(inner: string, avro: AvroType): FieldWriter | null {
  if (!isNullOr(avro)) return null;
  const write = plain(inner, avro[1]);
  if (!write) return null;
  let nulls: Buffer = Buffer.alloc(0);
  let values: Buffer = Buffer.alloc(0);
  return {
    bind: (streams) => {
      [nulls, values] = streams as [Buffer, Buffer];
    },
    write: (row, out) => {
      const isNull = nulls[row] === 1;
      out.long(isNull ? 0 : 1);
      if (!isNull) write(values, row, out);
    },
  };
}

/** Columns whose values have no fixed width: read from the beginning, once. */
function special(column: string, avro: AvroType): FieldWriter | null {
  const { kind } = parseColumnType(column);
  if (kind === 'map') return isCurrencies(avro) ? new CurrenciesWriter() : null;
  if (kind !== 'string') return null;
  if (avro === 'bytes') return new BytesWriter(false);
  return isNullOr(avro) && avro[1] === 'bytes' ? new BytesWriter(true) : null;
}

/** ClickHouse strings: length as LEB128, then the bytes. An empty one may mean null. */
class BytesWriter implements FieldWriter {
  readonly #emptyIsNull: boolean;
  #stream: Buffer = Buffer.alloc(0);
  #at = 0;

  constructor(emptyIsNull: boolean) {
    this.#emptyIsNull = emptyIsNull;
  }

  bind([stream]: readonly Buffer[]): void {
    this.#stream = stream as Buffer;
    this.#at = 0;
  }

  write(_row: number, out: AvroOutput): void {
    let length = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.#stream[this.#at++] as number;
      length += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
    }
    if (this.#emptyIsNull) out.long(length === 0 ? 0 : 1);
    if (!this.#emptyIsNull || length > 0) out.bytes(this.#stream, this.#at, length);
    this.#at += length;
  }
}

/** Map(UInt32, UInt256) as an array of { id: long, amount: string }: one block of items, if any, then a zero. */
class CurrenciesWriter implements FieldWriter {
  #ends: Buffer = Buffer.alloc(0);
  #keys: Buffer = Buffer.alloc(0);
  #values: Buffer = Buffer.alloc(0);

  bind(streams: readonly Buffer[]): void {
    [this.#ends, this.#keys, this.#values] = streams as [Buffer, Buffer, Buffer];
  }

  write(row: number, out: AvroOutput): void {
    const start = row === 0 ? 0 : Number(this.#ends.readBigUInt64LE(row * 8 - 8));
    const end = Number(this.#ends.readBigUInt64LE(row * 8));
    if (end > start) out.long(end - start);
    for (let entry = start; entry < end; entry++) {
      out.long(this.#keys.readUInt32LE(entry * 4));
      out.ascii(decimal(this.#values, entry * 32, 32));
    }
    out.long(0);
  }
}

const isHash = (type: AvroType | undefined): boolean =>
  typeof type === 'object' && 'type' in type && type.type === 'fixed' && type.size === 32;

const isEnum = (type: AvroType): type is Extract<AvroType, { readonly type: 'enum' }> =>
  typeof type === 'object' && 'type' in type && type.type === 'enum';

const isNullOr = (type: AvroType): type is readonly ['null', AvroType] =>
  Array.isArray(type) && type.length === 2 && type[0] === 'null';

/** Items of { id: long, amount: string }, in this order. */
function isCurrencies(type: AvroType): boolean {
  if (typeof type !== 'object' || !('type' in type) || type.type !== 'array') return false;
  const { items } = type;
  if (typeof items !== 'object' || !('type' in items) || items.type !== 'record') return false;
  return JSON.stringify(items.fields.map(({ name, type }) => [name, type])) === CURRENCY_FIELDS;
}

const CURRENCY_FIELDS = JSON.stringify([
  ['id', 'long'],
  ['amount', 'string'],
]);
