import { BASE_TABLE_VALUES } from '../../tables/base-tables.ts';
import { enumNames } from '../../tables/column-type.ts';
import type { Column } from '../../tables/table.ts';
import type { AvroType } from './avro-fields.ts';
import type { PublishedOutput } from './published.ts';

/** A field as a schema's file has it. A later part of a schema may use the name of a type. */
interface SchemaField {
  readonly name: string;
  readonly type: AvroType;
  readonly doc: string;
  readonly default?: unknown;
}

/** A schema of records. */
export interface RecordSchema {
  readonly type: 'record';
  readonly name: string;
  readonly namespace: string;
  readonly doc: string;
  readonly fields: readonly SchemaField[];
}

/** Amounts and shards have more bits than a long. */
const PLAIN: Readonly<Record<string, string>> = {
  Bool: 'boolean',
  Int8: 'int',
  UInt8: 'int',
  UInt16: 'int',
  Int32: 'int',
  UInt32: 'long',
  UInt64: 'long',
  UInt128: 'string',
  String: 'bytes',
};

/**
 * The schema of a kind of record: types and docs of the fields follow from the columns. A field that the `older` schema lacks has a
 * default, so a reader of it can read records of the older one.
 */
export function recordSchema(
  output: PublishedOutput,
  older: Pick<RecordSchema, 'fields'> | null,
): RecordSchema {
  const table = BASE_TABLE_VALUES.find(({ name }) => name === output.table)!;
  const omits: readonly string[] = output.omits;
  const known = new Set<string>();
  const fields = Object.entries(table.columns)
    .filter(([name]) => !omits.includes(name))
    .map(([name, column]): SchemaField => {
      const { type, comment, isOptional } = column;
      const isNew = older && !older.fields.some((field) => field.name === name);
      const found = isOptional ? ['null', toType(name, column, known)] : toType(name, column, known);
      return { name, type: found, doc: comment, ...(isNew && { default: toDefault(type, found) }) };
    });
  return { type: 'record', name: output.record, namespace: 'tonhouse', doc: table.comment, fields };
}

function toType(name: string, column: Column, known: Set<string>): AvroType {
  const { type, enumName = name } = column;
  const inner = /^Nullable\((.+)\)$/.exec(type)?.[1];
  if (inner !== undefined) return ['null', toType(name, { ...column, type: inner }, known)];
  const define = (part: string, definition: AvroType): AvroType =>
    known.has(part) ? part : known.add(part) && definition;
  if (type === 'FixedString(32)') return define('Hash', { type: 'fixed', name: 'Hash', size: 32 });
  if (type.startsWith('Map(')) return { type: 'array', items: define('ExtraCurrency', EXTRA_CURRENCY) };
  if (type.startsWith('Enum8(')) {
    const symbols = enumNames(type as `Enum8(${string})`);
    return define(enumName, { type: 'enum', name: enumName, symbols });
  }
  return name === 'shard' ? 'string' : PLAIN[type]!;
}

const EXTRA_CURRENCY: AvroType = {
  type: 'record',
  name: 'ExtraCurrency',
  fields: [
    { name: 'id', type: 'long' },
    { name: 'amount', type: 'string' },
  ],
};

/** The value of records that were written without the field. */
function toDefault(column: string, type: AvroType): unknown {
  if (Array.isArray(type)) return null;
  if (column === 'FixedString(32)') return '\0'.repeat(32);
  if (column.startsWith('Map(')) return [];
  if (column.startsWith('Enum8(')) return enumNames(column as `Enum8(${string})`)[0];
  if (column === 'Bool') return false;
  if (column === 'String') return '';
  return type === 'string' ? '0' : 0;
}
