import type { Schema, Type } from 'avsc';
import { AvroCodec, type LogDatum } from './avro-codec.ts';
import { compileSchema } from './avro-types.ts';
import type { CompiledSchema, SchemaSet } from './schema-files.ts';

/** Magic byte and schema id, as avro-codec.ts writes them. */
const HEADER_LENGTH = 5;
/** A length in Avro is a long: zigzag, seven bits a byte. */
const MAX_LENGTH_BYTES = 5;

/** A schema whose last field is bytes: everything before it. */
interface Head {
  readonly schema: CompiledSchema;
  readonly head: Type;
  readonly tail: string;
}

/**
 * Reads datums like `AvroCodec`, except that a last field of bytes is a view into the datum instead of a copy. For
 * readers of thousands of blocks: each copy would need garbage collection.
 */
export class ViewCodec {
  readonly #codec: AvroCodec;
  readonly #heads = new Map<number, Head>();

  constructor(schemas: SchemaSet) {
    this.#codec = new AvroCodec(schemas);
    for (const schema of schemas.byId.values()) {
      const head = buildHead(schema);
      if (head) this.#heads.set(schema.id, head);
    }
  }

  /** Throws as `AvroCodec.decode`. */
  decode(bytes: Uint8Array): LogDatum {
    // A datum that the view cannot read goes to the codec, whose errors explain the problem.
    return this.#view(bytes) ?? this.#codec.decode(bytes);
  }

  #view(bytes: Uint8Array): LogDatum | null {
    if (bytes.length < HEADER_LENGTH || bytes[0] !== 0) return null;
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const found = this.#heads.get(buffer.readUInt32BE(1));
    if (!found) return null;
    const { value, offset } = readHead(found.head, buffer);
    const from = offset < 0 ? -1 : tailStart(bytes, offset);
    if (from < 0) return null;
    const { kind, version } = found.schema;
    return { kind, version, value: { ...value, [found.tail]: bytes.subarray(from) } } as unknown as LogDatum;
  }
}

function readHead(head: Type, buffer: Buffer): { value: object; offset: number } {
  try {
    return head.decode(buffer, HEADER_LENGTH);
  } catch {
    return { value: {}, offset: -1 };
  }
}

/** Start of the last field's bytes, if they end with the datum; else -1. */
function tailStart(bytes: Uint8Array, offset: number): number {
  let length = 0;
  for (let i = 0; i < MAX_LENGTH_BYTES; i++) {
    const byte = bytes[offset + i];
    if (byte === undefined) return -1;
    length += (byte & 0x7f) * 2 ** (7 * i);
    if (byte >= 0x80) continue;
    const from = offset + i + 1;
    // Zigzag: even numbers are those from 0 on.
    return length % 2 === 0 && from + length / 2 === bytes.length ? from : -1;
  }
  return -1;
}

function buildHead(schema: CompiledSchema): Head | null {
  const source = schema.source as { readonly fields?: readonly { name: string; type: unknown }[] };
  const last = source.fields?.at(-1);
  if (!source.fields || last?.type !== 'bytes') return null;
  const head = compileSchema({ ...source, fields: source.fields.slice(0, -1) } as unknown as Schema);
  return { schema, head, tail: last.name };
}
