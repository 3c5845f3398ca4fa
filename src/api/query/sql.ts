import type { ServedTables } from '../served-tables.ts';

/** Value of a query parameter: text, a number that fits its type, or a list of either. */
type ParameterValue = string | number | boolean | readonly string[] | readonly number[];

/** One query as the store gets it: text with `{name:Type}` places, and their values. */
export interface Statement {
  readonly sql: string;
  readonly params: Readonly<Record<string, ParameterValue>>;
}

/** A value with its ClickHouse type. It is sent as a parameter, never as part of the text. */
export class Parameter {
  readonly type: string;
  readonly value: ParameterValue;

  constructor(type: string, value: ParameterValue) {
    this.type = type;
    this.value = value;
  }
}

/** A text that depends on the tables of the read version. */
class VersionedText {
  readonly build: (tables: ServedTables | null) => string;

  constructor(build: (tables: ServedTables | null) => string) {
    this.build = build;
  }
}

type Part = string | Parameter | VersionedText;

/**
 * A statement, or a part of one, with its parameters. Only the functions of this file make one: a plain string is no
 * fragment and does not compile.
 */
export class Sql {
  readonly #parts: readonly Part[];

  private constructor(parts: readonly Part[]) {
    this.#parts = parts;
  }

  /** Fragments and parameters between source texts. */
  static fill(texts: readonly string[], values: readonly SqlValue[]): Sql {
    const parts: Part[] = [];
    texts.forEach((text, i) => {
      parts.push(text);
      if (i >= values.length) return;
      const value = values[i];
      if (value instanceof Sql) parts.push(...value.#parts);
      else if (value instanceof Parameter) parts.push(value);
      else throw new TypeError(`a fragment or a parameter expected, found ${typeof value}`);
    });
    return new Sql(parts);
  }

  static versioned(build: (tables: ServedTables | null) => string): Sql {
    return new Sql([new VersionedText(build)]);
  }

  /** Text and parameters for the store, as the read version has them. Equal parameters share a name. */
  render(tables: ServedTables | null): Statement {
    const names = new Map<string, string>();
    const params: Record<string, ParameterValue> = {};
    const texts = this.#parts.map((part) => {
      if (typeof part === 'string') return part;
      if (part instanceof VersionedText) return part.build(tables);
      const { type, value } = part;
      const key = `${type} ${JSON.stringify(value)}`;
      const name = names.get(key) ?? `p${names.size}`;
      names.set(key, name);
      params[name] = value;
      return `{${name}:${type}}`;
    });
    return { sql: texts.join(''), params };
  }

  /** A fragment in a plain template literal would lose its parameters. @throws TypeError */
  toString(): never {
    throw new TypeError('a fragment is no text: nest it with the tag sql');
  }

  /** The same with another fragment in the place of a versioned one. */
  replace(fragment: Sql, by: Sql): Sql {
    const [replaced] = fragment.#parts;
    return new Sql(this.#parts.flatMap((part) => (part === replaced ? by.#parts : [part])));
  }
}

/** What a place of the template may hold. */
export type SqlValue = Sql | Parameter;

/** A fragment: ``sql`lt > ${u64(lt)} AND ${condition}` ``. */
export function sql(texts: TemplateStringsArray, ...values: readonly SqlValue[]): Sql {
  return Sql.fill(texts, values);
}

/** A fragment of a text that is checked or comes from this program: never from a request. */
export function unsafeSql(text: string): Sql {
  return Sql.fill([text], []);
}

/** A fragment that depends on the tables of the read version, e.g. a column that an older one lacks. */
export function versionedSql(build: (tables: ServedTables | null) => string): Sql {
  return Sql.versioned(build);
}

export const NOTHING = sql``;

/** Fragments with a separator between them. */
export function join(
  fragments: readonly Sql[],
  separator: ',' | ', ' | ' AND ' | ' OR ' | ' UNION ALL ',
): Sql {
  return Sql.fill(['', ...fragments.slice(1).map(() => separator), ''], fragments);
}

/** Conditions that all hold, in their order: the first ones should read the least. Absent ones are left out. */
export function and(...conditions: readonly (Sql | false | null | undefined)[]): Sql {
  const given = conditions.filter((one) => one instanceof Sql);
  return given.length === 0 ? sql`1` : join(given, ' AND ');
}

/** A name of a table or column that is not in the source text. @throws TypeError for other characters */
export function identifier(...names: readonly string[]): Sql {
  return unsafeSql(names.map(checkWord).join('.'));
}

/** Literals of names in this program, such as members of an enum. @throws TypeError for other characters than letters, digits and _ */
export function words(...names: readonly string[]): Sql {
  return unsafeSql(names.map((name) => `'${checkWord(name)}'`).join(', '));
}

function checkWord(name: string): string {
  if (!/^\w+$/.test(name)) throw new TypeError(`a name of letters, digits and _ expected, found ${name}`);
  return name;
}

export const i32 = (value: number) => new Parameter('Int32', value);
export const u32 = (value: number) => new Parameter('UInt32', value);
export const u64 = (value: bigint | string) => new Parameter('UInt64', `${value}`);
export const u128 = (value: bigint | string) => new Parameter('UInt128', `${value}`);
export const text = (value: string) => new Parameter('String', value);
export const texts = (values: readonly string[]) => new Parameter('Array(String)', values);
export const i32s = (values: readonly number[]) => new Parameter('Array(Int32)', values);
export const u64s = (values: readonly (bigint | string)[]) =>
  new Parameter('Array(UInt64)', `[${values.join(',')}]`);
