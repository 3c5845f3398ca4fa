/*
 * TL-B as it is written (https://docs.ton.org, "TL-B language"), without computed parameters (`~n`) and without tags that
 * follow from the text.
 */

/** A type or a natural number. */
export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  /** A type or variable by name, with its arguments; `#`, `##`, `#<` and `#<=` are names too. */
  | { readonly kind: 'name'; readonly name: string; readonly args: readonly Expression[] }
  /** `^X`: a cell of its own. */
  | { readonly kind: 'cell'; readonly of: Expression }
  /** `[ a:X b:Y ]` */
  | { readonly kind: 'fields'; readonly fields: readonly Field[] }
  /** `flag?X`, and `flags.3?X` by a bit of a number. */
  | {
      readonly kind: 'optional';
      readonly flag: string;
      readonly bit: number | null;
      readonly of: Expression;
    }
  | {
      readonly kind: 'sum' | 'product';
      readonly left: Expression;
      readonly right: Expression;
    };

export type Comparison = '<' | '<=' | '=' | '>=' | '>';

export type Field =
  /** Without a name the key is the empty text. */
  | { readonly kind: 'field'; readonly name: string; readonly type: Expression }
  /** `{n:#}`, `{X:Type}` */
  | { readonly kind: 'variable'; readonly name: string; readonly isType: boolean }
  /** `{a <= b}` */
  | {
      readonly kind: 'constraint';
      readonly comparison: Comparison;
      readonly left: Expression;
      readonly right: Expression;
    };

/** The bits that a constructor begins with. */
export interface Tag {
  /** 0 to 32. */
  readonly bits: number;
  readonly value: number;
}

/** `name#tag fields = Type parameters;` */
export interface Constructor {
  /** Empty for `_`. */
  readonly name: string;
  readonly tag: Tag;
  readonly fields: readonly Field[];
  readonly type: string;
  readonly parameters: readonly Expression[];
  readonly line: number;
}
