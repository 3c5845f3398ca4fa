import type { Json, Reading } from './reading.ts';

/** A type with the variables that it is read with. */
export interface Bound {
  readonly read: Read;
  readonly scope: Scope;
}

/** Variables of a constructor by name: numbers, and types that it is given. */
export type Scope = Map<string, number | Bound>;

/** Reads a value of a type at the reading's place. @throws CellError, LimitError */
export type Read = (reading: Reading, scope: Scope) => Json;

/** A number that may depend on variables. */
export type Count = (scope: Scope) => number;

/** Argument of a type: a number or another type. */
export type Argument =
  | { readonly kind: 'number'; readonly count: Count }
  | { readonly kind: 'type'; readonly read: Read };

/** Meaning of names in an expression. */
export interface Names {
  /** Fields whose number is used later, and `{n:#}`. */
  readonly numbers: ReadonlySet<string>;
  /** `{X:Type}` */
  readonly types: ReadonlySet<string>;
  /** A declared type with its arguments. @throws SchemaError: there is none */
  declared(name: string, args: readonly Argument[]): Read;
  /** @throws SchemaError */
  refuse(what: string): never;
}
