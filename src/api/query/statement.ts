/** Value of a query parameter: text, a number that fits its type, or a list of either. */
export type ParameterValue = string | number | boolean | readonly string[] | readonly number[];

/** One query: text with `{name:Type}` places and their values; user input is only ever in `params`. */
export interface Statement {
  readonly sql: string;
  readonly params: Readonly<Record<string, ParameterValue>>;
}

/** Bounds of one statement. */
export interface ReadLimits {
  /** The store refuses the statement if it would read more rows. Default: no bound. */
  readonly mostRows?: number;
  /** The store refuses to send more, bytes. Default: the answer's remaining budget. */
  readonly mostBytes?: number;
}

/** Conditions joined by AND, and the parameters that they name. */
export class Conditions {
  private readonly texts: string[] = [];
  private readonly values: Record<string, ParameterValue> = {};

  /** Adds a condition; every `{name:Type}` in it is in `params`. */
  add(text: string, params: Readonly<Record<string, ParameterValue>> = {}): this {
    this.texts.push(text);
    return this.bind(params);
  }

  /** Adds a condition before all others: the first ones read the least. */
  addFirst(text: string): this {
    this.texts.unshift(text);
    return this;
  }

  /** Parameters of a text outside the conditions (LIMIT, subqueries). */
  bind(params: Readonly<Record<string, ParameterValue>>): this {
    for (const [name, value] of Object.entries(params)) {
      if (name in this.values && this.values[name] !== value) {
        throw new TypeError(`parameter ${name} is bound twice, to ${this.values[name]} and ${value}`);
      }
      this.values[name] = value;
    }
    return this;
  }

  /** The conditions, or `1` if there are none. */
  get text(): string {
    return this.texts.length === 0 ? '1' : this.texts.join(' AND ');
  }

  get params(): Readonly<Record<string, ParameterValue>> {
    return this.values;
  }

  /** The statement of a text that uses these parameters. */
  statement(sql: string): Statement {
    return { sql, params: this.values };
  }
}
