import type { TSchema } from 'typebox';
import { UsageError } from '../../platform/errors/error-kinds.ts';
import type { JsonValue } from '../http/json-source.ts';

/** Shape of a value in a request, and its reader: a text of a query, or a value of a JSON body. */
export interface Form<T> {
  /** For the OpenAPI document. */
  readonly schema: TSchema;
  /** @throws ValueError, or an error with a text of the contract's own */
  read(value: JsonValue): T;
}

/** Why a value is not taken. The generation of the API has the words for it. */
export type ValueProblem =
  /** `index`: place of the value in a list. */
  | { readonly kind: 'unreadable'; readonly index: number | null }
  /** `rule`: condition that it breaks, e.g. `should be positive`. */
  | { readonly kind: 'bound'; readonly rule: string }
  /** `text`: the contract's own text, if it has one. */
  | { readonly kind: 'too-many'; readonly most: number; readonly text: string | null }
  /** `text`: the contract's own text, if it has one. */
  | { readonly kind: 'missing'; readonly text: string | null };

/** A value that a parameter cannot take. */
export class ValueError extends UsageError {
  readonly problem: ValueProblem;

  constructor(problem: ValueProblem) {
    super(`the value is not taken: ${JSON.stringify(problem)}`);
    this.problem = problem;
  }
}

/** The value, unless it could not be read. @throws ValueError */
export function readable<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new ValueError({ kind: 'unreadable', index: null });
  return value;
}

/** The text that a value is; values of other types cannot be read. @throws ValueError */
export function toText(value: JsonValue): string {
  return readable(typeof value === 'string' ? value : null);
}
