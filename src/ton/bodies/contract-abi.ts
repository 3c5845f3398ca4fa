import { SchemaError } from '../schema/schema-error.ts';

/** A field's type in a contract's ABI as compilers of Tact write it (https://docs.ton.org, "Tact ABI"). */
interface AbiType {
  readonly kind: string;
  readonly type?: string;
  readonly format?: string | number | null;
  readonly optional?: boolean | null;
  readonly key?: string;
  readonly keyFormat?: string | number | null;
  readonly value?: string;
  readonly valueFormat?: string | number | null;
}

interface AbiStruct {
  readonly name: string;
  /** The op; null for a type that is no message. */
  readonly header: number | null;
  readonly fields: readonly { readonly name: string; readonly type: AbiType }[];
}

const KEY_BITS_OF_ADDRESS = 267;
const INT = 257;

/**
 * Converts the messages of a contract's ABI (JSON with `types`) to TL-B: each type with a `header` is a body. An ABI
 * does not describe how the compiler spreads a type over several cells, so such bodies stay unknown.
 * @param source name of the text in errors
 * @throws SchemaError
 */
export function schemaOfAbi(json: string, source: string): string {
  const types = parseTypes(json, source);
  const isHere = new Set(types.map(({ name }) => name));
  return types
    .filter(({ name }) => typeof name === 'string' && /^\w+$/.test(name) && !name.startsWith('$'))
    .flatMap(({ name, header, fields }) => {
      const shown = fields.map((field) => ` ${field.name}:${typeText(field.type, isHere, source)}`).join('');
      const part = `_${shown} = ${name};`;
      if (header === null || header === undefined) return [part];
      return [`${name}#${header.toString(16).padStart(8, '0')}${shown} = InternalMsgBody;`, part];
    })
    .join('\n');
}

function parseTypes(json: string, source: string): readonly AbiStruct[] {
  let abi: unknown;
  try {
    abi = JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) throw new SchemaError(source, 1, `no JSON: ${error.message}`);
    throw error;
  }
  const { types } = Object(abi) as { readonly types?: unknown };
  if (!Array.isArray(types) || !types.every(isStruct))
    throw new SchemaError(source, 1, 'no ABI: it must have a list of `types` with name, header and fields');
  return types;
}

function isStruct(value: unknown): value is AbiStruct {
  const { name, header, fields } = Object(value) as Record<string, unknown>;
  return (
    typeof name === 'string' &&
    (header === null || header === undefined || isOp(header)) &&
    Array.isArray(fields) &&
    fields.every((field) => {
      const { name: fieldName, type } = Object(field) as Record<string, unknown>;
      return (
        typeof fieldName === 'string' && /^\w+$/.test(fieldName) && typeof Object(type).kind === 'string'
      );
    })
  );
}

function isOp(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32;
}

function typeText(type: AbiType, isHere: ReadonlySet<string>, source: string): string {
  const text =
    type.kind === 'dict'
      ? `(HashmapE ${keyBits(type)} ${valueText(type, isHere, source)})`
      : simpleText(type.type, type.format, isHere);
  if (text === null) throw new SchemaError(source, 1, `unknown type ${JSON.stringify(type)}`);
  // A missing address is `addr_none`; a dictionary has its own empty form.
  return type.optional && type.kind !== 'dict' && type.type !== 'address' ? `(Maybe ${text})` : text;
}

function simpleText(
  type: string | undefined,
  format: string | number | null | undefined,
  isHere: ReadonlySet<string>,
): string | null {
  switch (type) {
    case 'int':
    case 'uint':
      return numberText(type, format);
    case 'bool':
      return 'Bool';
    case 'address':
      return 'MsgAddress';
    case 'string':
      return '^SnakeString';
    case 'cell':
    case 'slice':
    case 'builder':
      return format === 'remainder' ? 'Cell' : '^Cell';
    case 'fixed-bytes':
      return typeof format === 'number' ? `bits${format * 8}` : null;
    default:
      if (type === undefined || !isHere.has(type)) return null;
      return format === 'ref' ? `^${type}` : type;
  }
}

function numberText(type: 'int' | 'uint', format: string | number | null | undefined): string | null {
  if (format === 'coins') return 'Coins';
  const [, bytes] = /^varu?int(16|32)$/.exec(`${format}`) ?? [];
  if (bytes !== undefined) return `(VarUInteger ${bytes})`;
  if (typeof format === 'number') return `${type}${format}`;
  return format === null || format === undefined ? `int${INT}` : null;
}

function keyBits({ key, keyFormat }: AbiType): number {
  if (key === 'address') return KEY_BITS_OF_ADDRESS;
  return typeof keyFormat === 'number' ? keyFormat : INT;
}

function valueText({ value, valueFormat }: AbiType, isHere: ReadonlySet<string>, source: string): string {
  const isStructure = value !== undefined && isHere.has(value);
  const text = simpleText(value, isStructure ? 'ref' : valueFormat, isHere);
  if (text === null)
    throw new SchemaError(source, 1, `unknown type ${JSON.stringify(value)} in a dictionary`);
  return text;
}
