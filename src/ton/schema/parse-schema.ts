import { SchemaError } from './schema-error.ts';
import type { Comparison, Constructor, Expression, Field, Tag } from './syntax.ts';
import { parseTokens, type Token } from './tokens.ts';

const COMPARISONS: readonly string[] = ['<', '<=', '=', '>=', '>'];
/** Expressions within one another. */
const MAX_NESTED = 64;
/** Keys that would not be keys in an object. */
const NO_NAMES: ReadonlySet<string> = new Set(['__proto__']);
const NO_TAG: Tag = { bits: 0, value: 0 };

/**
 * Reads a TL-B text.
 * @param source names the text in errors
 * @throws SchemaError
 */
export function parseSchema(text: string, source: string): Constructor[] {
  return new Parser(parseTokens(text, source), source).constructors();
}

class Parser {
  private readonly tokens: readonly Token[];
  private readonly source: string;
  private at = 0;
  private nested = 0;

  constructor(tokens: readonly Token[], source: string) {
    this.tokens = tokens;
    this.source = source;
  }

  constructors(): Constructor[] {
    const found: Constructor[] = [];
    while (this.next.kind !== 'end') found.push(this.oneConstructor());
    return found;
  }

  private get next(): Token {
    return this.tokens[this.at]!;
  }

  private oneConstructor(): Constructor {
    const { line } = this.next;
    const { name, tag } = this.head();
    const fields = this.fieldsUntil('=');
    const type = this.take('name');
    const parameters: Expression[] = [];
    while (!this.isSign(';')) parameters.push(this.atom());
    this.take('sign', ';');
    return { name, tag, fields, type, parameters, line };
  }

  private head(): { readonly name: string; readonly tag: Tag } {
    const { kind, text } = this.next;
    if (kind === 'name' && text === '_') {
      this.at++;
      return { name: '', tag: NO_TAG };
    }
    if (kind === 'name')
      this.refuse(`${text} has no tag: write ${text}#89abcdef, or ${text}$_ if it has none`);
    const [, name = '', sign, digits = ''] = /^(\w+)([#$])(\w+)$/.exec(this.take('constructor'))!;
    this.checkName(name);
    const tag = digits === '_' ? NO_TAG : sign === '#' ? hexTag(digits) : binaryTag(digits);
    if (tag.bits > 32) this.refuse(`the tag of ${name} is longer than 32 bits`);
    return { name: name === '_' ? '' : name, tag };
  }

  private fieldsUntil(end: string): Field[] {
    const fields: Field[] = [];
    while (!this.isSign(end)) fields.push(this.field());
    this.take('sign', end);
    return fields;
  }

  private field(): Field {
    if (this.isSign('{')) return this.braced();
    const following = this.tokens[this.at + 1];
    if (this.next.kind === 'name' && following?.text === ':') {
      const name = this.take('name');
      this.checkName(name);
      this.at++;
      return { kind: 'field', name: name === '_' ? '' : name, type: this.atom() };
    }
    return { kind: 'field', name: '', type: this.atom() };
  }

  /** `{n:#}`, `{X:Type}` or a constraint. */
  private braced(): Field {
    this.take('sign', '{');
    if (this.tokens[this.at + 1]?.text === ':') {
      const name = this.take('name');
      this.at++;
      const kind = this.take('name');
      if (kind !== '#' && kind !== 'Type') this.refuse(`${name} is a variable: # or Type, not ${kind}`);
      this.take('sign', '}');
      return { kind: 'variable', name, isType: kind === 'Type' };
    }
    const left = this.sum();
    const comparison = this.take('sign');
    if (!COMPARISONS.includes(comparison)) this.refuse(`expected a comparison, found ${comparison}`);
    const right = this.sum();
    this.take('sign', '}');
    return { kind: 'constraint', comparison: comparison as Comparison, left, right };
  }

  private sum(): Expression {
    let left = this.product();
    while (this.isSign('+')) {
      this.at++;
      left = { kind: 'sum', left, right: this.product() };
    }
    return left;
  }

  private product(): Expression {
    let left = this.application();
    while (this.isSign('*')) {
      this.at++;
      left = { kind: 'product', left, right: this.application() };
    }
    return left;
  }

  /** `HashmapE 32 ^Cell` */
  private application(): Expression {
    const first = this.atom();
    const args: Expression[] = [];
    while (this.beginsAtom()) args.push(this.atom());
    if (args.length === 0) return first;
    if (first.kind !== 'name') return this.refuse('only a type by name takes arguments');
    return { ...first, args: [...first.args, ...args] };
  }

  private beginsAtom(): boolean {
    const { kind, text } = this.next;
    return kind === 'name' || kind === 'number' || (kind === 'sign' && ['^', '(', '['].includes(text));
  }

  private atom(): Expression {
    if (++this.nested > MAX_NESTED) this.refuse('nested too deep');
    const found = this.plainAtom();
    this.nested--;
    return found;
  }

  private plainAtom(): Expression {
    const { kind, text } = this.next;
    this.at++;
    if (kind === 'number') return { kind: 'number', value: Number(text) };
    if (kind === 'sign' && text === '^') return { kind: 'cell', of: this.atom() };
    if (kind === 'sign' && text === '[') return { kind: 'fields', fields: this.fieldsUntil(']') };
    if (kind === 'sign' && text === '(') {
      const inner = this.sum();
      this.take('sign', ')');
      return inner;
    }
    if (kind === 'name') return this.named(text);
    this.at--;
    return this.refuse(`expected a type or a number, found ${text}`);
  }

  /** A name; it may be followed by a flag condition: `flag?X`, `flags.3?X`. */
  private named(name: string): Expression {
    let bit: number | null = null;
    if (this.isSign('.')) {
      this.at++;
      bit = Number(this.take('number'));
    }
    if (bit === null && !this.isSign('?')) return { kind: 'name', name, args: [] };
    this.take('sign', '?');
    return { kind: 'optional', flag: name, bit, of: this.atom() };
  }

  private isSign(text: string): boolean {
    return this.next.kind === 'sign' && this.next.text === text;
  }

  private take(kind: Token['kind'], text?: string): string {
    const { next } = this;
    if (next.kind !== kind || (text !== undefined && next.text !== text))
      this.refuse(`expected ${text ?? `a ${kind}`}, found ${next.text}`);
    this.at++;
    return next.text;
  }

  private checkName(name: string): void {
    if (NO_NAMES.has(name)) this.refuse(`${name} cannot be a name`);
  }

  private refuse(what: string): never {
    throw new SchemaError(this.source, this.next.line, what);
  }
}

function binaryTag(digits: string): Tag {
  return { bits: digits.length, value: digits.length > 32 ? 0 : Number.parseInt(digits, 2) };
}

/** Hex digits; a final `_` removes the last 1 and everything after it, as usual for bit strings. */
function hexTag(digits: string): Tag {
  if (!digits.endsWith('_')) {
    return { bits: digits.length * 4, value: digits.length > 8 ? 0 : Number.parseInt(digits, 16) };
  }
  const bits = [...digits.slice(0, -1)].map((digit) =>
    Number.parseInt(digit, 16).toString(2).padStart(4, '0'),
  );
  return binaryTag(bits.join('').replace(/10*$/, ''));
}
