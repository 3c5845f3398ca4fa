import type { TSchema } from 'typebox';
import { HttpError } from '../http/errors/http-error.ts';
import type { ParameterValues } from '../parameters/parameter.ts';
import type { Endpoint } from './endpoint.ts';
import { typeNames } from './parameters/forms.ts';

/*
 * Field selection: `fields=hash,lt` keeps only the named fields of each row, and skips the work for the others:
 * columns, further statements, decoded bodies.
 */

/** The parameter of lists whose rows can be selected from. */
export const SELECTING = {
  fields: typeNames(
    'Fields of the rows, comma-separated or repeated; others are left out, and what only they need is not read. ' +
      'address_book and metadata are empty if they are not named.',
  ),
} as const;

/** Fields of every list in addition to its rows, which a request may omit. */
const BESIDE = ['address_book', 'metadata'] as const;

/** The fields that a request asks for. */
export class SelectedFields {
  readonly #names: ReadonlySet<string> | null;

  /** `names`: null for all. */
  constructor(names: Iterable<string> | null) {
    this.#names = names && new Set(names);
  }

  /** Whether one of the fields is asked for. */
  wants(...names: readonly string[]): boolean {
    return this.#names === null || names.some((name) => this.#names?.has(name));
  }

  /** True if all selected fields are among these. */
  isWithin(names: ReadonlySet<string>): boolean {
    return this.#names?.isSubsetOf(names) ?? false;
  }

  /** The row with the fields that are asked for, in its own order. */
  of(row: object): object {
    return Object.fromEntries(Object.entries(row).filter(([name]) => this.wants(name)));
  }

  get isAll(): boolean {
    return this.#names === null;
  }
}

export const ALL_FIELDS = new SelectedFields(null);

type Selecting = Pick<Endpoint, 'selects' | 'answer'>;

/** The fields that a request of an endpoint asks for. @throws HttpError 422 */
export function selectedFields(
  endpoint: Selecting,
  values: ParameterValues<Endpoint['parameters']>,
): SelectedFields {
  const requested = endpoint.selects ? (values.fields as readonly string[]) : [];
  if (requested.length === 0) return ALL_FIELDS;
  const known = knownFields(endpoint);
  const unknown = requested.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new HttpError(422, `unknown field "${unknown.slice(0, 60)}", known: ${known.join(', ')}`);
  return new SelectedFields(requested);
}

/** The answer with the rows and parts that are asked for. */
export function selectFields({ selects }: Selecting, answer: unknown, fields: SelectedFields): unknown {
  if (!selects || fields.isAll) return answer;
  const complete = answer as Readonly<Record<string, unknown>>;
  const rows = (complete[selects] as readonly object[]).map((row) => fields.of(row));
  const emptied = BESIDE.filter((name) => name in complete && !fields.wants(name)).map((name) => [name, {}]);
  return { ...complete, [selects]: rows, ...Object.fromEntries(emptied) };
}

/**
 * The answer's schema as documents show it: where rows can be selected from, a row is whole, or has no other fields than
 * some of these.
 */
export function describedAnswer({ selects, answer }: Selecting): TSchema {
  if (!selects) return answer;
  const { properties } = answer as unknown as AnswerShape;
  const list = properties[selects] as AnswerShape['properties'][string] & { readonly items: object };
  const { required: _all, ...row } = list.items as {
    readonly required?: unknown;
    readonly properties: object;
  };
  const selected = {
    ...row,
    additionalProperties: false,
    description: 'With the parameter fields: only the named keys, if the row has them.',
  };
  const rows = { ...list, items: { anyOf: [list.items, selected] } };
  return { ...answer, properties: { ...properties, [selects]: rows } } as unknown as TSchema;
}

/** A schema of an answer, limited to its rows. */
interface AnswerShape {
  readonly properties: Readonly<Record<string, { readonly items?: { readonly properties: object } }>>;
}

function knownFields({ selects, answer }: Selecting): readonly string[] {
  const { properties } = answer as unknown as AnswerShape;
  const rows = Object.keys(properties[selects ?? '']?.items?.properties ?? {});
  return [...rows, ...BESIDE.filter((name) => name in properties)];
}
