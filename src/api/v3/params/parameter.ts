import type { TSchema } from 'typebox';

/** A value that a parameter cannot take; `index` within a list. */
export class ParameterError extends Error {
  override readonly name = 'ParameterError';
  readonly index: number | null;

  constructor(index: number | null = null) {
    super(index === null ? 'value not understood' : `value ${index} not understood`);
    this.index = index;
  }
}

/** A list has more values than it may have. */
export class ListTooLongError extends Error {
  override readonly name = 'ListTooLongError';
  readonly most: number;

  constructor(most: number) {
    super(`more than ${most} values`);
    this.most = most;
  }
}

/** A parameter of an endpoint: how it is documented and how it is read. */
export interface Parameter<T> {
  readonly schema: TSchema;
  /** Further names that are accepted, undocumented or deprecated. */
  readonly aliases?: readonly string[];
  /** Values as sent, at least one; absent parameters are not read. Throws ParameterError, ListTooLongError. */
  read(values: readonly string[]): T;
  /** The value where the parameter is absent. */
  readonly absent: T;
}

/** The parameters of an endpoint by their documented names. */
export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

/** The values of parameters. */
export type ParameterValues<P extends Parameters> = {
  readonly [K in keyof P]: P[K] extends Parameter<infer T> ? T : never;
};

/** A parameter of which the last value counts. */
export function single<T>(schema: TSchema, read: (text: string) => T): Parameter<T | undefined> {
  return { schema, absent: undefined, read: (values) => read(values[values.length - 1] as string) };
}

/** The same parameter under further names. */
export function alias<T>(parameter: Parameter<T>, ...aliases: string[]): Parameter<T> {
  return { ...parameter, aliases };
}

/** The same parameter with a value where it is absent. */
export function withDefault<T>(parameter: Parameter<T | undefined>, value: T): Parameter<T> {
  return {
    ...parameter,
    schema: { ...parameter.schema, default: value },
    absent: value,
    read: (values) => parameter.read(values) ?? value,
  };
}

/** The entries that have a value: absent parameters become absent filters. */
export function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
