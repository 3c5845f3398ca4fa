import type { NewStep } from '../port.ts';
import type { StepMeta } from './plan-append.ts';

/**
 * Copies all values into one buffer, which then moves to the worker: one copy in all. Posting the values directly would
 * clone each one's whole buffer, and many are views into a larger one.
 */
export function packSteps(steps: readonly NewStep[]): {
  readonly metas: readonly StepMeta[];
  readonly values: Uint8Array<ArrayBuffer>;
} {
  let size = 0;
  for (const { records } of steps) for (const { value } of records) size += value.length;
  const values = new Uint8Array(size);
  let at = 0;
  const metas = steps.map(({ position, epoch, lane, records }) => ({
    position,
    epoch,
    lane,
    records: records.map(({ key, headers, value }) => {
      values.set(value, at);
      at += value.length;
      return { key, headers, length: value.length };
    }),
  }));
  return { metas, values };
}
