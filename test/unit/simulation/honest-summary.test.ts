import { expect, it } from 'vitest';
import type { AttackReport } from '../../simulation/abuse/attack-run.ts';
import { honestSummary } from '../../simulation/abuse/report-table.ts';
import type { Observation } from '../../simulation/abuse/watch/watch.ts';

/** So many answers of an attack of 1 ms each, and a few of another time. */
const report = (name: string, answers: number, slow: readonly number[], isOutage = false) =>
  ({ name, isOutage, honest: { timesMs: [...Array(answers).fill(1), ...slow] } }) as unknown as AttackReport;

it('tells the p99 of attacks with a hundred answers by all their rounds, and the longest answer of the others', () => {
  const rest = { honest: { p99Ms: 10 } } as Observation;
  const summary = honestSummary(rest, [
    report('slow twice', 58, [50, 60]),
    report('slow twice', 60, []),
    report('as at rest', 120, [30]),
    report('brief', 20, [70]),
    report('briefer', 3, [20]),
    report('store away', 200, [9_000, 9_000, 9_000], true),
  ]);
  expect(summary).toContain('10 ms at rest, 50 ms of all 266 under attack');
  expect(summary).toContain('50 ms in the worst (slow twice), within three times that at rest in 1 of 2');
  expect(summary).toContain('the longest answer beside the other 2: 70 ms (brief)');
});
