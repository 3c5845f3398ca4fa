import { type TSchema, Type } from 'typebox';
import type { JsonValue } from '../http/json-source.ts';
import { type Form, toText, ValueError } from './form.ts';

/** A parameter of an endpoint: how it is documented and how it is read. */
export interface Parameter<T> {
  readonly schema: TSchema;
  /** Further names that are accepted, undocumented or deprecated. */
  readonly aliases?: readonly string[];
  /** It must be sent; `text`: the contract's text for a missing one, if it has one. */
  readonly required?: { readonly text: string | null };
  /** It must be sent as the OpenAPI document has it, and its reader does not refuse without it. */
  readonly isNeeded?: true;
  /** Values as sent, at least one; absent parameters are not read. @throws ValueError */
  read(values: readonly JsonValue[]): T;
  /** The value if the parameter is absent and not required. */
  readonly absent: T;
}

/** The parameters of an endpoint by their documented names. */
export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

/** The values of parameters. */
export type ParameterValues<P extends Parameters> = {
  readonly [K in keyof P]: P[K] extends Parameter<infer T> ? T : never;
};

/** An optional parameter. If it is sent several times, the last value counts. */
export function optional<T>(form: Form<T>, description: string): Parameter<T | undefined> {
  return {
    schema: { ...form.schema, description },
    absent: undefined,
    read: (values) => form.read(values[values.length - 1] as JsonValue),
  };
}

/** A required parameter. `text`: text of the failure if it is missing. */
export function required<T>(form: Form<T>, description: string, text: string | null = null): Parameter<T> {
  // The absent value is never taken.
  return { ...(optional(form, description) as Parameter<T>), required: { text } };
}

/** A parameter with a default value. */
export function withDefault<T>(form: Form<T>, value: T, description: string): Parameter<T> {
  const one = optional(form, description) as Parameter<T>;
  return { ...one, schema: { ...one.schema, default: value }, absent: value };
}

/** The same parameter with more in its schema, for documentation: the reader does not change. */
export function documented<T>(
  parameter: Parameter<T>,
  facts: Readonly<Record<string, unknown>>,
): Parameter<T> {
  return { ...parameter, schema: { ...parameter.schema, ...facts } };
}

/** The same parameter, documented as required: its reader has its own text for a missing one. */
export function needed<T>(parameter: Parameter<T>): Parameter<T> {
  const { schema } = parameter;
  const isList = (schema as { readonly type?: unknown }).type === 'array';
  return { ...parameter, schema: isList ? { ...schema, minItems: 1 } : schema, isNeeded: true };
}

/** The same parameter under further names. */
export function alias<T>(parameter: Parameter<T>, ...aliases: string[]): Parameter<T> {
  return { ...parameter, aliases };
}

/** How the values of a list are separated, and their maximum number. */
export interface ListRules {
  /** Texts are cut at commas, and items that are empty then are skipped. */
  readonly isCut: boolean;
  readonly most?: number;
  /** The contract's text for more values, if it has words of its own. */
  readonly tooMany?: string;
}

/** A list: the repeated parameter, a JSON list, or a single value. */
export function list<T>(
  form: Form<T>,
  description: string,
  { isCut, most, tooMany }: ListRules,
): Parameter<readonly T[]> {
  const bound = most === undefined ? {} : { maxItems: most };
  return {
    schema: Type.Array(form.schema, { description, ...bound }),
    absent: [],
    read: (values) => {
      const items = isCut ? values.flatMap(cut) : values.flat();
      if (most !== undefined && items.length > most)
        throw new ValueError({ kind: 'too-many', most, text: tooMany ?? null });
      return items.map((item, index) => readItem(form, item as JsonValue, index));
    },
  };
}

/** Texts, repeated, unchanged; empty ones are skipped. */
export function texts(description: string, most: number): Parameter<readonly string[]> {
  const all = list({ schema: Type.String(), read: toText }, description, { isCut: false, most });
  return { ...all, read: (values) => all.read(values.filter((value) => value !== '')) };
}

function cut(value: JsonValue): JsonValue[] {
  return typeof value === 'string' ? value.split(',').filter((item) => item !== '') : [value];
}

/** Names the item that cannot be read. */
function readItem<T>(form: Form<T>, item: JsonValue, index: number): T {
  try {
    return form.read(item);
  } catch (error) {
    if (error instanceof ValueError && error.problem.kind === 'unreadable')
      throw new ValueError({ kind: 'unreadable', index });
    throw error;
  }
}

/** The entries that have a value: absent parameters become absent filters. */
export function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
