import { valueAt } from './value-at.ts';

/** A condition of a case is not of a form that is understood. */
export class ConditionError extends Error {
  override readonly name = 'ConditionError';
}

const TOKEN =
  /\s*(-?0x[\da-f]+|-?\d[\d_]*|'[^']*'|"[^"]*"|[=!<>]=|[<>()[\],|]|value(?:\.\w+|\[\d+\])*|[a-z_]\w*)/giy;
const CONSTANTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['none', null],
  ['true', true],
  ['false', false],
]);

function parseTokens(text: string): string[] {
  const tokens = [...text.matchAll(TOKEN)];
  const last = tokens.at(-1);
  const end = last ? last.index + last[0].length : 0;
  if (text.slice(end).trim() !== '')
    throw new ConditionError(`condition: ${text.slice(end).trim()} is not understood`);
  return tokens.map(([, token]) => token as string);
}

/** Numbers may be text on one side. */
const isSame = (a: unknown, b: unknown): boolean =>
  a === null || b === null ? a === b : String(a) === String(b);

const getSize = (value: unknown): bigint =>
  BigInt(
    typeof value === 'object' && value !== null ? Object.keys(value).length : String(value ?? '').length,
  );

function isIn(one: unknown, all: unknown): boolean {
  if (Array.isArray(all)) return all.some((other) => isSame(one, other));
  if (typeof all === 'string') return all.includes(String(one));
  return typeof all === 'object' && all !== null && String(one) in all;
}

/** -1, 0, 1; NaN if one of them is not a number. */
function order(a: unknown, b: unknown): number {
  const isNumber = (one: unknown) => one !== null && /^-?\d+$/.test(String(one));
  if (!isNumber(a) || !isNumber(b)) return Number.NaN;
  const [left, right] = [BigInt(String(a)), BigInt(String(b))];
  return left < right ? -1 : Number(left > right);
}

const COMPARISONS: ReadonlyMap<string, (a: unknown, b: unknown) => boolean> = new Map([
  ['==', isSame],
  ['!=', (a, b) => !isSame(a, b)],
  ['is', isSame],
  ['is not', (a, b) => !isSame(a, b)],
  ['in', isIn],
  ['not in', (a, b) => !isIn(a, b)],
  ['<', (a, b) => order(a, b) < 0],
  ['<=', (a, b) => order(a, b) <= 0],
  ['>', (a, b) => order(a, b) > 0],
  ['>=', (a, b) => order(a, b) >= 0],
]);

const isTrue = (value: unknown): boolean =>
  typeof value === 'object' ? value !== null && getSize(value) > 0n : Boolean(value) && value !== '0';

/** One reading of a condition, from its first token to its last. */
class Reading {
  private readonly tokens: string[];
  private readonly value: unknown;

  constructor(tokens: string[], value: unknown) {
    this.tokens = tokens;
    this.value = value;
  }

  /** @throws ConditionError: something is left, or missing */
  whole(): unknown {
    const result = this.either();
    if (this.tokens.length > 0) throw new ConditionError(`condition: ${this.tokens[0]} is not understood`);
    return result;
  }

  private takes(token: string): boolean {
    if (this.tokens[0] !== token) return false;
    this.tokens.shift();
    return true;
  }

  private expect(token: string): void {
    if (!this.takes(token)) throw new ConditionError(`condition: ${token} is missing`);
  }

  private either(): unknown {
    let result = this.both();
    while (this.takes('or')) {
      const other = this.both();
      result = isTrue(result) ? result : other;
    }
    return result;
  }

  private both(): unknown {
    let result = this.comparison();
    while (this.takes('and')) {
      const other = this.comparison();
      result = isTrue(result) ? other : result;
    }
    return result;
  }

  private comparison(): unknown {
    if (this.takes('not')) return !isTrue(this.comparison());
    const left = this.operand();
    const first = this.tokens[0] ?? '';
    const two = `${first} ${this.tokens[1]}`;
    const sign = COMPARISONS.has(two) ? two : first;
    const compare = COMPARISONS.get(sign);
    if (!compare) return left;
    this.tokens.splice(0, sign.split(' ').length);
    return compare(left, this.operand());
  }

  private operand(): unknown {
    let result = this.primary();
    while (this.takes('|')) {
      const filter = this.tokens.shift();
      if (filter === 'length' || filter === 'count') result = getSize(result);
      else if (filter === 'lower') result = String(result).toLowerCase();
      else if (filter !== 'int' && filter !== 'string')
        throw new ConditionError(`condition: no filter ${filter}`);
    }
    return result;
  }

  private primary(): unknown {
    const token = this.tokens.shift();
    if (token === undefined) throw new ConditionError('condition: a value is missing');
    if (token === '(') return this.inside(')');
    if (token === '[') return this.list();
    if (token === 'len') {
      this.expect('(');
      return getSize(this.inside(')'));
    }
    if (token === 'value') return this.value;
    if (/^value[.[]/.test(token))
      return valueAt(this.value, token.slice('value'.length).replace(/^\./, '')) ?? null;
    return constant(token);
  }

  private inside(end: string): unknown {
    const result = this.either();
    this.expect(end);
    return result;
  }

  private list(): unknown[] {
    const all: unknown[] = [];
    while (!this.takes(']')) {
      all.push(this.either());
      if (!this.takes(',') && this.tokens[0] !== ']') throw new ConditionError('condition: ] is missing');
    }
    return all;
  }
}

function constant(token: string): unknown {
  const known = CONSTANTS.get(token.toLowerCase());
  if (known !== undefined) return known;
  if (/^['"]/.test(token)) return token.slice(1, -1);
  const digits = token.replaceAll('_', '');
  if (/^-?\d/.test(digits)) return digits.startsWith('-') ? -BigInt(digits.slice(1)) : BigInt(digits);
  throw new ConditionError(`condition: ${token} is no value`);
}

/** The condition of a text `{{ … }}`; null for any other value. */
export function conditionIn(text: unknown): string | null {
  return typeof text === 'string' ? (/^\s*\{\{(.*)\}\}\s*$/s.exec(text)?.[1] ?? null) : null;
}

/**
 * Whether a condition of `value` holds, in the form that cases use: comparisons of paths and literals (`==`, `!=`, `<`, `in`, `is not` …),
 * lengths, `and`, `or`, `not`.
 *
 * @throws ConditionError
 */
export function holds(condition: string, value: unknown): boolean {
  return isTrue(new Reading(parseTokens(condition), value ?? null).whole());
}
