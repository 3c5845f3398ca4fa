import { z } from 'zod';
import {
  and,
  i32,
  join,
  Parameter,
  type Sql,
  type SqlValue,
  sql,
  text,
  u32,
  u64,
  u128,
  unsafeSql,
} from './sql.ts';

/** A field of a place: its form in a cursor, and its value in a statement. */
export interface KeyField<T> {
  readonly shape: z.ZodType<T>;
  toSql(value: T): SqlValue;
}

const MAX_UINT64 = 2n ** 64n - 1n;
const MAX_UINT256 = 2n ** 256n - 1n;

export const U32: KeyField<number> = { shape: z.int().min(0).max(0xffff_ffff), toSql: u32 };
export const I32: KeyField<number> = {
  shape: z
    .int()
    .min(-(2 ** 31))
    .max(2 ** 31 - 1),
  toSql: i32,
};
/** Decimal text. */
export const U64: KeyField<string> = {
  shape: z
    .string()
    .regex(/^\d{1,20}$/)
    .refine((digits) => BigInt(digits) <= MAX_UINT64),
  toSql: u64,
};
const decimal256 = z
  .string()
  .regex(/^\d{1,78}$/)
  .refine((digits) => BigInt(digits) <= MAX_UINT256);
/** Decimal text; the column has 128 bits. */
export const U128: KeyField<string> = { shape: decimal256, toSql: u128 };
/** Decimal text. */
export const U256: KeyField<string> = {
  shape: decimal256,
  toSql: (value) => new Parameter('UInt256', value),
};
/** 64 upper-case hex digits. */
export const ID: KeyField<string> = {
  shape: z.string().regex(/^[0-9A-F]{64}$/),
  toSql: (value) => sql`unhex(${text(value)})`,
};

/** A column of an order: it goes the way of the page, or one way in every page. */
export type OrderColumn<Place> = readonly [name: keyof Place & string, way: 'page' | 'ASC' | 'DESC'];

/** The order of a list, and the condition of the rows after a place. */
export interface KeyOrder<Place> {
  /** The text after ORDER BY. */
  by(descending: boolean): Sql;
  /** Condition of the rows after a place, in a page of this way. `isIncluded`: and of the row at the place itself. */
  after(place: Place, descending: boolean, isIncluded?: boolean): Sql;
}

/**
 * The place of a row in a list: its fields in the order in which cursors have them, the orders of the list, and the
 * form of its cursors.
 */
export interface Keyset<Place> {
  /** One letter or two, in every cursor of the list: cursors of other lists are refused. */
  readonly list: string;
  /** True if a scan from the oldest row continues with later steps; otherwise it ends with its first page's steps. */
  readonly isResumable: boolean;
  /** Its keys in the order in which places have them: only the text that was given is read. */
  readonly shape: z.ZodType<Place>;
  order(...columns: readonly OrderColumn<Place>[]): KeyOrder<Place>;
}

type Fields<Place> = { readonly [K in keyof Place]: KeyField<Place[K]> };

/** A keyset of a list. */
export function keyset<Place extends object>(
  { list, isResumable }: Pick<Keyset<Place>, 'list' | 'isResumable'>,
  fields: Fields<Place>,
): Keyset<Place> {
  const names = Object.keys(fields) as (keyof Place & string)[];
  const shape = z.strictObject(Object.fromEntries(names.map((name) => [name, fields[name].shape])));
  return {
    list,
    isResumable,
    shape: shape as unknown as z.ZodType<Place>,
    order: (...columns) => buildOrder(fields, columns),
  };
}

function buildOrder<Place>(fields: Fields<Place>, columns: readonly OrderColumn<Place>[]): KeyOrder<Place> {
  const isDown = (way: OrderColumn<Place>[1], descending: boolean) =>
    way === 'page' ? descending : way === 'DESC';
  const toColumn = (name: string) => unsafeSql(toSnakeCase(name));
  const after: (rest: readonly OrderColumn<Place>[], ...to: Parameters<KeyOrder<Place>['after']>) => Sql = (
    rest,
    place,
    descending,
    isIncluded = false,
  ) => {
    const [[name, way], ...others] = rest as readonly [OrderColumn<Place>, ...OrderColumn<Place>[]];
    const [column, value] = [toColumn(name), fields[name].toSql(place[name])];
    const beyond = isDown(way, descending) ? sql`${column} < ${value}` : sql`${column} > ${value}`;
    const edge = isDown(way, descending) ? sql`${column} <= ${value}` : sql`${column} >= ${value}`;
    if (others.length === 0) return isIncluded ? edge : beyond;
    return and(edge, sql`(${beyond} OR (${after(others, place, descending, isIncluded)}))`);
  };
  return {
    by: (descending) =>
      join(
        columns.map(([name, way]) => sql`${toColumn(name)} ${isDown(way, descending) ? DESC : ASC}`),
        ', ',
      ),
    after: (...to) => after(columns, ...to),
  };
}

const ASC = sql`ASC`;
const DESC = sql`DESC`;

/** `endLt` → `end_lt`: the column of a field. */
function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
