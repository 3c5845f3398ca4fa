import type { TSchema } from 'typebox';
import type { JsonValue } from '../json-source.ts';

/** How one parameter is read from a query text or a JSON value. */
export interface Kind<T> {
  /** For the OpenAPI document. */
  readonly schema: TSchema;
  /**
   * `value` is never null or the empty text: those count as absent.
   * @throws InvalidRequest with the text of the contract
   */
  parse(value: JsonValue, name: string): T;
}

/** A parameter of a method. */
export interface Parameter<T> {
  readonly schema: TSchema;
  readonly description: string;
  readonly required: boolean;
  /** `undefined`: the request does not have it. */
  read(value: JsonValue | undefined, name: string): T;
}

/** The parameters of a method, by name. */
export type Parameters = { readonly [name: string]: Parameter<unknown> };

/** What a method's parameters are read into. */
export type Values<P extends Parameters> = {
  readonly [K in keyof P]: P[K] extends Parameter<infer T> ? T : never;
};
