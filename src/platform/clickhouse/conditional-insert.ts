import type { QueryParams } from './client-options.ts';
import type { NativeColumn } from './native-format.ts';
import { quoted } from './quoted.ts';

/** An expression that the server looks at when it begins to run a statement. */
export interface InsertCondition {
  readonly sql: string;
  readonly params: QueryParams;
}

/** Columns of the bytes that are inserted, and what must hold for that. */
export interface ConditionalInput {
  readonly columns: readonly Pick<NativeColumn, 'name' | 'type'>[];
  readonly condition: InsertCondition;
}

const named = (name: string) => `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;

/** The statement whose body is Native blocks. A false condition makes it fail with code 395 before the body is read. */
export function nativeInsert(table: string, input?: ConditionalInput): string {
  if (!input) return `INSERT INTO ${table} FORMAT Native`;
  const { columns, condition } = input;
  const names = columns.map(({ name }) => named(name)).join(', ');
  const structure = columns.map(({ name, type }) => `${named(name)} ${type}`).join(', ');
  return (
    // The structure has the columns in this order: named once more, wide ones would take a millisecond to be looked up.
    `INSERT INTO ${table} (${names}) SELECT * FROM input(${quoted(structure)})\n` +
    `WHERE NOT throwIf(NOT (${condition.sql})) FORMAT Native`
  );
}
