import avsc, { type Schema, type Type } from 'avsc';

/** Avro's long is 64 bits: a number would lose the low ones of shards, lts and amounts. */
const longType = avsc.types.LongType.__with({
  fromBuffer: (buffer: Buffer) => buffer.readBigInt64LE(),
  toBuffer: (value: bigint) => {
    const buffer = Buffer.allocUnsafe(8);
    buffer.writeBigInt64LE(value);
    return buffer;
  },
  fromJSON: (value: number | string) => BigInt(value),
  toJSON: (value: bigint) => String(value),
  isValid: (value: unknown) => typeof value === 'bigint' && BigInt.asIntN(64, value) === value,
  compare: (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0),
});

/** `bytes` and `fixed` as plain Uint8Array: views in both directions, the bytes are not copied for it. */
class BinaryType extends avsc.types.LogicalType {
  // After a truncated read there is no buffer; the codec reports that by the offset.
  protected override _fromValue(value: Buffer | undefined): Uint8Array | undefined {
    return value && new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  }

  protected override _toValue(value: unknown): Buffer | undefined {
    if (!(value instanceof Uint8Array)) return undefined;
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }

  protected override _resolve(type: Type): ((value: unknown) => unknown) | undefined {
    return avsc.Type.isType(type, 'logical:binary') ? (value) => value : undefined;
  }
}

const BYTES = { type: 'bytes' as const, name: 'bytes' };

/** A schema compiled for encoding and decoding. Throws avsc's own error for one that is not valid. */
export function compileSchema(schema: Schema): Type {
  return avsc.Type.forSchema(schema, {
    assertLogicalTypes: true,
    noAnonymousTypes: false,
    omitRecordMethods: true,
    logicalTypes: { binary: BinaryType },
    typeHook: (part, options) => {
      if (part === 'long') return longType;
      if (part === 'bytes') return avsc.Type.forSchema({ ...BYTES, logicalType: 'binary' }, options);
      if (isPlainFixed(part)) return avsc.Type.forSchema({ ...part, logicalType: 'binary' }, options);
      return undefined;
    },
  });
}

interface FixedSchema {
  readonly type: 'fixed';
  readonly name: string;
  readonly size: number;
}

function isPlainFixed(part: unknown): part is FixedSchema {
  return (
    typeof part === 'object' &&
    part !== null &&
    'type' in part &&
    part.type === 'fixed' &&
    !('logicalType' in part)
  );
}
