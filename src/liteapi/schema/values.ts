import type { FUNCTIONS } from './functions.ts';
import type { BOXED, Fields, TYPES } from './types.ts';

export type TypeName = keyof typeof TYPES;
export type FunctionName = keyof typeof FUNCTIONS;
type GroupName = keyof typeof BOXED;

/** Value of a field by the text of its kind. 64-bit numbers are signed when they are read. */
type FieldValue<K extends string> = K extends 'int' | 'u32'
  ? number
  : K extends 'long'
    ? bigint
    : K extends 'int256' | 'bytes'
      ? Uint8Array
      : K extends 'string'
        ? string
        : K extends 'Bool'
          ? boolean
          : K extends `vec ${infer Item}`
            ? readonly FieldValue<Item>[]
            : K extends TypeName
              ? TlValue<K>
              : K extends GroupName
                ? TlBoxed<(typeof BOXED)[K][number]>
                : never;

/** An object with the fields. Fields of `mode` bits are optional. */
type FieldValues<F extends Fields> = {
  readonly [K in keyof F as F[K] extends `[${string}` ? never : K]: FieldValue<F[K]>;
} & {
  readonly [K in keyof F as F[K] extends `[${string}` ? K : never]?: F[K] extends `[${number}] true`
    ? boolean
    : F[K] extends `[${number}] ${infer Kind}`
      ? FieldValue<Kind>
      : never;
};

/** A value of a type, without its id. */
export type TlValue<N extends TypeName> = FieldValues<(typeof TYPES)[N]['fields']>;

/** A value with the name of its type, for groups of types. */
export type TlBoxed<N extends TypeName> = { [K in N]: { readonly type: K; readonly value: TlValue<K> } }[N];

/** Parameters of a function. */
export type TlParameters<F extends FunctionName> = FieldValues<(typeof FUNCTIONS)[F]['fields']>;

/** Answer of a function. */
export type TlAnswer<F extends FunctionName> = TlValue<(typeof FUNCTIONS)[F]['answer']>;
