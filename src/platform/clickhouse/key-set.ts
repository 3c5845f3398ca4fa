/** Type of a column of keys. */
export type KeyType = 'UInt64' | 'UInt32' | 'Int32' | 'FixedString(32)';

/** A column of a key: bytes of a `FixedString`, or a number. */
export type KeyPart = Uint8Array | bigint | number;

/** A key of a table, without its other columns. */
export type Key = readonly KeyPart[];

/** Up to so many keys are a list in the text: a subquery costs the planner a millisecond. */
const MAX_LITERALS = 48;

/** How a number of a type is written, and read from `bytes`. */
const TYPES: Readonly<
  Record<KeyType, { readonly size: number; readonly write: Write; readonly read: (bytes: string) => string }>
> = {
  UInt64: {
    size: 8,
    write: (to, at, value) => to.writeBigUInt64LE(BigInt(value as bigint), at),
    read: (bytes) => `reinterpretAsUInt64(${bytes})`,
  },
  UInt32: {
    size: 4,
    write: (to, at, value) => to.writeUInt32LE(Number(value), at),
    read: (bytes) => `reinterpretAsUInt32(${bytes})`,
  },
  Int32: {
    size: 4,
    write: (to, at, value) => to.writeInt32LE(Number(value), at),
    read: (bytes) => `reinterpretAsInt32(${bytes})`,
  },
  'FixedString(32)': {
    size: 32,
    write: (to, at, value) => to.set(value as Uint8Array, at),
    read: (bytes) => `toFixedString(${bytes}, 32)`,
  },
};
type Write = (to: Buffer, at: number, value: KeyPart) => void;

/** Bytes as a literal. A call of `unhex` costs the server four times as much (bench/RESULTS.md). */
export function bytesLiteral(bytes: Uint8Array): string {
  return `'${Buffer.from(bytes).toString('hex').replace(/../g, '\\x$&')}'`;
}

/**
 * The right side of `IN` for keys of columns of these types, at least one key. Many keys are one literal that the server
 * takes apart: a list of them is parsed and analysed key by key, which costs more than reading the rows.
 * @throws RangeError if a number or a hash does not fit its type
 */
export function keySet(types: readonly KeyType[], keys: readonly Key[]): string {
  const packed = packKeys(types, keys);
  return keys.length <= MAX_LITERALS ? `(${keys.map(keyLiteral).join(',')})` : packedSet(types, packed);
}

function keyLiteral(key: Key): string {
  const parts = key.map((part) => (part instanceof Uint8Array ? bytesLiteral(part) : `${part}`));
  return parts.length === 1 ? parts[0]! : `(${parts.join(',')})`;
}

const getWidth = (types: readonly KeyType[]) => types.reduce((sum, type) => sum + TYPES[type].size, 0);

function packKeys(types: readonly KeyType[], keys: readonly Key[]): Buffer {
  const width = getWidth(types);
  const packed = Buffer.alloc(width * keys.length);
  keys.forEach((key, i) => {
    let at = i * width;
    types.forEach((type, column) => {
      const part = key[column]!;
      if (part instanceof Uint8Array && part.length !== TYPES[type].size)
        throw new RangeError(`${part.length} bytes as ${type}`);
      TYPES[type].write(packed, at, part);
      at += TYPES[type].size;
    });
  });
  return packed;
}

function packedSet(types: readonly KeyType[], packed: Buffer): string {
  const width = getWidth(types);
  let at = 1;
  const columns = types.map((type) => {
    const { size, read } = TYPES[type];
    const column = read(`substring(packed, ${width} * i + ${at}, ${size})`);
    at += size;
    return column;
  });
  return `(SELECT ${columns.join(', ')} FROM (SELECT base64Decode('${packed.toString('base64')}') AS packed) ARRAY JOIN range(${packed.length / width}) AS i)`;
}
