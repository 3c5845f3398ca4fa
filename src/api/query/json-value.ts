import type { EnumName } from '../../tables/column-type.ts';

/**
 * Type of a column's value in a query result: 64-bit and wider integers decimal text, FixedString and String base64
 * (see select-list.ts), maps objects of id → decimal text, enums their names.
 */
export type JsonValue<T extends string> = T extends `Nullable(${infer Inner})`
  ? JsonValue<Inner> | null
  : T extends `Map(${string})`
    ? Readonly<Record<string, string>>
    : T extends 'UInt64' | 'UInt128' | 'UInt256' | 'String' | `FixedString(${string})`
      ? string
      : T extends 'Bool'
        ? boolean
        : T extends `Enum8(${string})`
          ? EnumName<T>
          : number;
