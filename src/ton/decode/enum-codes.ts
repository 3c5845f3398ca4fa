import { BASE_TABLES } from '../../tables/base-tables.ts';
import { type EnumName, enumCodes, type TableColumns } from '../../tables/column-type.ts';

type EnumType = `Enum8(${string})`;

/** Codes by enum column and name of the value. */
type EnumCodes<T extends TableColumns> = {
  readonly [C in keyof T as T[C] extends EnumType ? C : never]: Readonly<Record<EnumName<T[C]>, number>>;
};

function buildCodes<T extends TableColumns>(columns: T): EnumCodes<T> {
  const enums = Object.entries(columns).filter(([, type]) => type.startsWith('Enum8('));
  return Object.fromEntries(enums.map(([name, type]) => [name, enumCodes(type as EnumType)])) as EnumCodes<T>;
}

export const TRANSACTION_CODES = buildCodes(BASE_TABLES.transactions);
export const MESSAGE_CODES = buildCodes(BASE_TABLES.messages);
export const STATE_CODES = buildCodes(BASE_TABLES.account_states);
