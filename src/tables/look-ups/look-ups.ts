/* Keys by which a serving process finds rows in its look-up index (src/lookup). */
import { parseColumnType } from '../column-type.ts';
import type { KeyPart, LookUp, Target } from '../target.ts';

/** A look-up of a table. */
export interface TableLookUp {
  readonly table: Pick<Target, 'name' | 'columns'>;
  readonly lookUp: LookUp;
}

/** Value of a key's column: bytes of a FixedString, a number up to 32 bits, or a wider one. */
export type KeyValue = Uint8Array | number | bigint;

/** The look-up of a table by its name. @throws RangeError if the table has none of that name */
export function getLookUp(table: Target, name: string): TableLookUp {
  const lookUp = table.lookUps?.find((one) => one.name === name);
  if (!lookUp) throw new RangeError(`${table.name} has no look-up ${name}`);
  return { table, lookUp };
}

/** Columns by table of a version; null: as this release has them. */
type VersionTables = Readonly<Record<string, Readonly<Record<string, string>>>> | null;

/** All look-ups of some tables. `served`: leaves out those whose keys a version does not have. */
export function allLookUps(tables: readonly Target[], served: VersionTables = null): TableLookUp[] {
  const has = (table: string, part: KeyPart) =>
    served === null || readPart(part).name in (served[table] ?? {});
  return tables.flatMap((table) =>
    (table.lookUps ?? [])
      .filter(({ key }) => key.every((part) => has(table.name, part)))
      .map((lookUp) => ({ table, lookUp })),
  );
}

/**
 * Builds keys from the values of the key's columns, in order. Fewer values make the common beginning of several keys.
 * Integers are big endian, so that keys sort as unsigned numbers do.
 */
export function keyBuilder({ table, lookUp }: TableLookUp): (...values: readonly KeyValue[]) => Buffer {
  const parts = lookUp.key.map((part) => {
    const { name, isFalling } = readPart(part);
    return { width: getWidth(table, name), isFalling };
  });
  return (...values) => {
    const used = parts.slice(0, values.length);
    const key = Buffer.alloc(used.reduce((sum, { width }) => sum + width, 0));
    let at = 0;
    used.forEach(({ width, isFalling }, i) => {
      const value = values[i] as KeyValue;
      if (value instanceof Uint8Array) key.set(value, at);
      else key.set(toBytes(BigInt(value), width, isFalling), at);
      at += width;
    });
    return key;
  };
}

/** Expression of the same key in SQL. */
export function keySql({ table, lookUp }: TableLookUp): string {
  const parts = lookUp.key.map((part) => {
    const { name, isFalling } = readPart(part);
    if (parseColumnType(getType(table, name)).kind === 'fixed') return name;
    return `reverse(reinterpretAsFixedString(${isFalling ? `bitNot(${name})` : name}))`;
  });
  // With the empty text the result is a String, which keeps zeros at its end.
  return `concat(${[...parts, "''"].join(', ')})`;
}

/** Columns of the value that a version's table has. `served`: types by column; absent: this release's. */
export function valueColumns(
  { value }: LookUp,
  served: Readonly<Record<string, string>> | undefined,
): readonly string[] {
  return served ? value.filter((name) => name in served) : value;
}

function readPart(part: KeyPart): { readonly name: string; readonly isFalling: boolean } {
  return typeof part === 'string'
    ? { name: part, isFalling: false }
    : { name: part.falling, isFalling: true };
}

function toBytes(value: bigint, width: number, isFalling: boolean): Buffer {
  const bits = 8 * width;
  const number = BigInt.asUintN(bits, isFalling ? ~value : value);
  return Buffer.from(number.toString(16).padStart(2 * width, '0'), 'hex');
}

function getType({ name: table, columns }: TableLookUp['table'], name: string): string {
  const type = columns.find((column) => column.name === name)?.type;
  if (type === undefined) throw new RangeError(`${table} has no column ${name}`);
  return type;
}

function getWidth(table: TableLookUp['table'], name: string): number {
  const type = parseColumnType(getType(table, name));
  if ('width' in type) return type.width;
  throw new RangeError(`${table.name}.${name}: a column of fixed width expected in a key`);
}
