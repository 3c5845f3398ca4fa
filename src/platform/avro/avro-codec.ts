import avsc, { type Type } from 'avsc';
import { AvroDecodeError, AvroEncodeError, UnknownKindError, UnknownSchemaIdError } from './avro-errors.ts';
import type { Datum, NewestDatum } from './generated.ts';
import type { CompiledSchema, SchemaSet } from './schema-files.ts';

/** First byte of a datum with a header (Confluent wire format), then the schema id as 4 bytes big endian. */
const MAGIC = 0;
const HEADER_LENGTH = 5;

/** A datum of one kind. */
type DatumOf<Kind extends Datum['kind']> = Extract<Datum, { readonly kind: Kind }>;

/** Kinds of the log of blocks; the others are made for readers outside, or read by their name. */
type LogKind = `raw-${string}`;
const isOfLog = (kind: string): kind is LogKind => kind.startsWith('raw-');

/** Kinds of datums in the log of blocks. */
export type LogDatum = Extract<Datum, { readonly kind: LogKind }>;

/** Avro datums with the 5-byte header, for the schemas checked in under `schemas/`. */
export class AvroCodec {
  readonly #schemas: SchemaSet;

  constructor(schemas: SchemaSet) {
    this.#schemas = schemas;
  }

  /**
   * Header and datum by the newest schema of the kind, in a buffer of its own. Throws `UnknownKindError`, or
   * `AvroEncodeError` naming the field that does not fit.
   */
  encode<Kind extends keyof NewestDatum>(kind: Kind, value: NewestDatum[Kind]): Uint8Array<ArrayBuffer> {
    const schema = this.#schemas.newest.get(kind);
    if (!schema) throw new UnknownKindError(kind, [...this.#schemas.newest.keys()]);
    return write(schema, value, guessedLength(value));
  }

  /**
   * A datum of the log with its kind and version. `bytes` and `fixed` fields are copied out of `bytes` once. Throws
   * `UnknownSchemaIdError` or `AvroDecodeError`.
   */
  decode(bytes: Uint8Array): LogDatum {
    return this.#decode(bytes, isOfLog) as LogDatum;
  }

  /** A datum of one kind. Throws as `decode`, for a datum of another kind too. */
  decodeAs<Kind extends Datum['kind']>(wanted: Kind, bytes: Uint8Array): DatumOf<Kind> {
    return this.#decode(bytes, (kind) => kind === wanted) as DatumOf<Kind>;
  }

  #decode(bytes: Uint8Array, isWanted: (kind: string) => boolean) {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (buffer.length < HEADER_LENGTH)
      throw new AvroDecodeError(null, `shorter than the header of ${HEADER_LENGTH} bytes`, buffer.length);
    if (buffer[0] !== MAGIC)
      throw new AvroDecodeError(null, `first byte is ${buffer[0]}, not ${MAGIC}`, buffer.length);
    const id = buffer.readUInt32BE(1);
    const schema = this.#schemas.byId.get(id);
    if (!schema || !isWanted(schema.kind)) throw new UnknownSchemaIdError(id, this.#ids(isWanted));
    const { kind, version, type } = schema;
    const value = readComplete(type, `${kind} v${version}`, buffer);
    return { kind, version, value };
  }

  #ids(isWanted: (kind: string) => boolean): number[] {
    return [...this.#schemas.byId.values()].filter(({ kind }) => isWanted(kind)).map(({ id }) => id);
  }
}

/** Writes into memory of so many bytes, or of as many as turn out to be needed: no block is copied twice. */
function write(schema: CompiledSchema, value: unknown, room: number): Uint8Array<ArrayBuffer> {
  const buffer = Buffer.allocUnsafeSlow(room);
  let end: number;
  try {
    end = schema.type.encode(value, buffer, HEADER_LENGTH);
  } catch (error) {
    throw explain(schema, value, error);
  }
  // A negative end is the number of bytes that were missing.
  if (end < 0) return write(schema, value, room - end);
  buffer[0] = MAGIC;
  buffer.writeUInt32BE(schema.id, 1);
  return new Uint8Array(buffer.buffer, 0, end);
}

/** Bytes that are enough for a flat datum without long texts. */
function guessedLength(value: object): number {
  let length = HEADER_LENGTH;
  for (const field of Object.values(value)) length += field instanceof Uint8Array ? field.length + 8 : 32;
  return length;
}

function readComplete(type: Type, schema: string, buffer: Buffer): unknown {
  let read: { value: unknown; offset: number };
  try {
    read = type.decode(buffer, HEADER_LENGTH);
  } catch (error) {
    throw new AvroDecodeError(schema, 'contains a value that the schema does not allow', buffer.length, {
      cause: error,
    });
  }
  if (read.offset < 0) throw new AvroDecodeError(schema, 'ends within a field', buffer.length);
  if (read.offset !== buffer.length)
    throw new AvroDecodeError(
      schema,
      `continues after the end of the datum at ${read.offset}`,
      buffer.length,
    );
  return read.value;
}

/** Looks for the field at fault only now: checking every value first would cost as much as encoding it. */
function explain({ kind, type }: CompiledSchema, value: unknown, cause: unknown): AvroEncodeError {
  let fault: { path: string; expected: string } | undefined;
  type.isValid(value, {
    errorHook: (path, _found, expected) => {
      fault ??= { path: path.join('.'), expected: getTypeName(expected) };
    },
  });
  return new AvroEncodeError(kind, fault?.path ?? '', fault?.expected ?? 'what the schema asks for', {
    cause,
  });
}

/** The type's name as the schema has it, e.g. `long`, `bytes` or `tonhouse.Hash`. */
function getTypeName(type: Type): string {
  const { name, typeName } = type instanceof avsc.types.LogicalType ? type.underlyingType : type;
  return name ?? typeName.replace(/^abstract:/, '');
}
