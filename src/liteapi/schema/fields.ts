import { TlError } from '../tl/tl-error.ts';
import type { TlReader } from '../tl/tl-reader.ts';
import type { TlWriter } from '../tl/tl-writer.ts';
import { BOXED, type Fields, type TlType, TYPES } from './types.ts';

type Values = Readonly<Record<string, unknown>>;

const TRUE = 0x997275b5;
const FALSE = 0xbc799737;
const OPTIONAL = /^\[(\d+)\] (.+)$/;
const VECTOR = /^vec (.+)$/;

const types: Readonly<Record<string, TlType>> = TYPES;
const groups: Readonly<Record<string, readonly string[]>> = BOXED;

/** Writes fields in order. A field of a `mode` bit is written if the bit is set, and must then be given. */
export function writeFields(writer: TlWriter, fields: Fields, values: Values, where: string): void {
  for (const [name, kind] of Object.entries(fields)) {
    const here = `${where}.${name}`;
    const [, bit, optional] = OPTIONAL.exec(kind) ?? [];
    if (optional === undefined) writeValue(writer, kind, values[name], here);
    else if (optional === 'true') checkFlag(values[name], hasBit(values, bit), here);
    else if (hasBit(values, bit)) writeValue(writer, optional, values[name], here);
    else if (values[name] !== undefined) throw new TlError(here, `bit ${bit} of mode`, 'a value without it');
  }
}

/** Reads fields in order. A field of a `mode` bit that is not set is absent. */
export function readFields(reader: TlReader, fields: Fields, where: string): Values {
  const values: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries(fields)) {
    const [, bit, optional] = OPTIONAL.exec(kind) ?? [];
    if (optional === undefined) values[name] = readValue(reader, kind, `${where}.${name}`);
    else if (optional === 'true') values[name] = hasBit(values, bit);
    else if (hasBit(values, bit)) values[name] = readValue(reader, optional, `${where}.${name}`);
  }
  return values;
}

function hasBit(values: Values, bit: string | undefined): boolean {
  return (((values.mode as number) >>> Number(bit)) & 1) === 1;
}

function checkFlag(given: unknown, isSet: boolean, where: string): void {
  if (given !== undefined && given !== isSet) throw new TlError(where, `${isSet} as in mode`, String(given));
}

function writeValue(writer: TlWriter, kind: string, value: unknown, where: string): void {
  if (value === undefined) throw new TlError(where, kind, 'no value');
  const item = VECTOR.exec(kind)?.[1];
  if (item !== undefined) {
    const items = value as readonly unknown[];
    writer.uint32(items.length);
    for (const [index, one] of items.entries()) writeValue(writer, item, one, `${where}[${index}]`);
    return;
  }
  if (kind in types) writeFields(writer, (types[kind] as TlType).fields, value as Values, where);
  else if (kind in groups) writeBoxed(writer, value as { type: string; value: Values }, where);
  else writeScalar(writer, kind, value, where);
}

const SCALAR_WRITERS: Readonly<Record<string, (writer: TlWriter, value: never) => void>> = {
  int: (writer, value: number) => writer.int32(value),
  u32: (writer, value: number) => writer.uint32(value),
  long: (writer, value: bigint) => writer.int64(value),
  int256: (writer, value: Uint8Array) => writer.fixed(value, 32),
  bytes: (writer, value: Uint8Array) => writer.data(value),
  string: (writer, value: string) => writer.data(Buffer.from(value)),
  Bool: (writer, value: boolean) => writer.uint32(value ? TRUE : FALSE),
};

function writeScalar(writer: TlWriter, kind: string, value: unknown, where: string): void {
  const write = SCALAR_WRITERS[kind];
  if (!write) throw new TlError(where, 'a kind of the schema', kind);
  write(writer, value as never);
}

function writeBoxed(writer: TlWriter, { type, value }: { type: string; value: Values }, where: string): void {
  const { id, fields } = types[type] as TlType;
  writer.uint32(id);
  writeFields(writer, fields, value, where);
}

function readValue(reader: TlReader, kind: string, where: string): unknown {
  const item = VECTOR.exec(kind)?.[1];
  if (item !== undefined) return readVector(reader, item, where);
  if (kind in types) return readFields(reader, (types[kind] as TlType).fields, where);
  const group = groups[kind];
  return group ? readBoxed(reader, group, where) : readScalar(reader, kind, where);
}

function readVector(reader: TlReader, item: string, where: string): unknown[] {
  const count = reader.uint32();
  // Every item of the schema has four bytes or more: a false count must not make a long loop.
  if (count * 4 > reader.left) throw new TlError(where, `${count} items`, `${reader.left} bytes`);
  return Array.from({ length: count }, (_, index) => readValue(reader, item, `${where}[${index}]`));
}

function readScalar(reader: TlReader, kind: string, where: string): unknown {
  switch (kind) {
    case 'int':
      return reader.int32();
    case 'u32':
      return reader.uint32();
    case 'long':
      return reader.int64();
    case 'int256':
      return reader.fixed(32);
    case 'bytes':
      return reader.data();
    case 'string':
      return Buffer.from(reader.data()).toString();
    case 'Bool':
      return readBool(reader.uint32(), where);
    default:
      throw new TlError(where, 'a kind of the schema', kind);
  }
}

function readBool(id: number, where: string): boolean {
  if (id !== TRUE && id !== FALSE) throw new TlError(where, 'a Bool', hexId(id));
  return id === TRUE;
}

function readBoxed(reader: TlReader, names: readonly string[], where: string): unknown {
  const id = reader.uint32();
  const type = names.find((name) => types[name]?.id === id);
  if (type === undefined) throw new TlError(where, names.join(' or '), hexId(id));
  return { type, value: readFields(reader, (types[type] as TlType).fields, where) };
}

/** A type's id as the documents write it: eight hex digits. */
export function hexId(id: number): string {
  return id.toString(16).padStart(8, '0');
}
