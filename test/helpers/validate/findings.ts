import { toHex } from '../../../src/ton/hash/hex.ts';

/** A rule that a block breaks. */
export interface Violation {
  /** Short name of the rule, for example `value flow` or `in message extra`. */
  readonly rule: string;
  /** The account, message hash, dictionary key or field that it is about. */
  readonly where: string;
  readonly expected: string;
  readonly found: string;
}

type Fact = string | number | bigint | boolean | null | Uint8Array;

/** Collects what is wrong; a check never throws. */
export class Findings {
  readonly violations: Violation[] = [];
  /** Checks made: a validator that looked at nothing finds nothing. */
  checks = 0;

  /** Checks that two facts are equal. */
  equal(rule: string, where: string | Uint8Array, expected: Fact, found: Fact): void {
    this.checks++;
    const [a, b] = [text(expected), text(found)];
    if (a !== b) this.violations.push({ rule, where: text(where), expected: a, found: b });
  }

  /** Checks a condition. */
  holds(rule: string, where: string | Uint8Array, condition: boolean, found: Fact = false): void {
    this.checks++;
    if (!condition) this.violations.push({ rule, where: text(where), expected: 'true', found: text(found) });
  }
}

function text(fact: Fact): string {
  return fact instanceof Uint8Array ? toHex(fact) : String(fact);
}
