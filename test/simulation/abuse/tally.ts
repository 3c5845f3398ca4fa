import { wrongAnswer } from './answer-rules.ts';
import type { Call, Outcome } from './http-call.ts';

const MAX_PROBLEMS = 6;

/** Number of requests of an attack, the statuses of their answers, and the problems. */
export class Tally {
  requests = 0;
  readonly statuses = new Map<string, number>();
  readonly #problems = new Map<string, number>();

  count(call: Call, outcome: Outcome): void {
    this.add(outcome.failure ?? outcome.status);
    // A health check with 503 is an answer.
    const wrong = call.path === '/healthz' ? null : wrongAnswer(outcome);
    if (wrong !== null) this.problem(`${call.method ?? ''} ${call.path.split('?', 1)[0]}: ${wrong}`.trim());
  }

  add(status: number | string): void {
    this.requests++;
    this.statuses.set(String(status), (this.statuses.get(String(status)) ?? 0) + 1);
  }

  problem(what: string): void {
    this.#problems.set(what, (this.#problems.get(what) ?? 0) + 1);
  }

  /** The first few kinds, with how often. */
  get problems(): string[] {
    const all = [...this.#problems].map(([what, times]) => (times > 1 ? `${what} (${times} times)` : what));
    const more = all.length - MAX_PROBLEMS;
    return more > 0 ? [...all.slice(0, MAX_PROBLEMS), `and ${more} other problems`] : all;
  }
}
