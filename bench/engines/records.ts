import type { IndexedRow } from '../../src/lookup/store-port.ts';

/** A key and a value as an engine without tables has them. */
export interface KeyValue {
  readonly key: Buffer;
  readonly value: Buffer;
}

const STEP_BYTES = 4;
/** Sorts steps before rows of most keys; no row's key has this length. */
const STEP_PREFIX = 0;
const PROGRESS_KEY = Buffer.from('progress');

/**
 * What a batch of rows is in an engine without tables: a record for each row, one for the keys of each step (the index
 * replaces steps), and the progress.
 */
export function toRecords(rows: readonly IndexedRow[]): readonly KeyValue[] {
  const keysOfSteps = new Map<number, Uint8Array[]>();
  const records = rows.map(({ key, step, value }) => {
    const keys = keysOfSteps.get(step);
    if (keys) keys.push(key);
    else keysOfSteps.set(step, [key]);
    const stored = Buffer.allocUnsafe(STEP_BYTES + value.length);
    stored.writeUInt32BE(step);
    stored.set(value, STEP_BYTES);
    return { key: key as Buffer, value: stored };
  });
  for (const [step, keys] of keysOfSteps) records.push({ key: toStepKey(step), value: Buffer.concat(keys) });
  const covered = JSON.stringify({ covered: [{ first: 0, last: rows.at(-1)?.step ?? 0 }] });
  records.push({ key: PROGRESS_KEY, value: Buffer.from(covered) });
  return records;
}

/** The value of a row, without the step before it; null if there is no record. */
export function toValue(stored: Uint8Array | null | undefined): Uint8Array | null {
  return stored ? stored.subarray(STEP_BYTES) : null;
}

function toStepKey(step: number): Buffer {
  const key = Buffer.alloc(1 + STEP_BYTES, STEP_PREFIX);
  key.writeUInt32BE(step, 1);
  return key;
}
