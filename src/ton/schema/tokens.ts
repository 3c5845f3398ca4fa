import { SchemaError } from './schema-error.ts';

export interface Token {
  /** `constructor`: a name with the tag that is written to it; `end`: behind the last token. */
  readonly kind: 'constructor' | 'name' | 'number' | 'sign' | 'end';
  readonly text: string;
  readonly line: number;
}

/** In this order: the first that fits is the token. */
const FORMS: readonly (readonly [Token['kind'] | null, RegExp])[] = [
  [null, /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\//y],
  ['constructor', /[A-Za-z_]\w*(?:#(?:[0-9a-fA-F]+_?|_)|\$(?:[01]+|_))/y],
  ['name', /[A-Za-z_]\w*|##|#<=|#<|#/y],
  ['number', /\d+/y],
  ['sign', /<=|>=|[<>=:;^()[\]{}?.+*]/y],
];

/**
 * The tokens of a TL-B text, an `end` last.
 * @throws SchemaError
 */
export function parseTokens(text: string, source: string): Token[] {
  const tokens: Token[] = [];
  let line = 1;
  for (let at = 0; at < text.length; ) {
    const token = tokenAt(text, at);
    if (!token)
      throw new SchemaError(source, line, `${JSON.stringify(text[at])} has no meaning in TL-B here`);
    const [kind, found] = token;
    if (kind !== null) tokens.push({ kind, text: found, line });
    line += found.split('\n').length - 1;
    at += found.length;
  }
  return [...tokens, { kind: 'end', text: 'the end of the text', line }];
}

function tokenAt(text: string, at: number): readonly [Token['kind'] | null, string] | null {
  for (const [kind, form] of FORMS) {
    form.lastIndex = at;
    const found = form.exec(text)?.[0];
    if (found) return [kind, found];
  }
  return null;
}
