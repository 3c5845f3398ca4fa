import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FencedError } from '../../../src/log/errors.ts';
import { appendSteps, publishAppend, writeSegment } from '../../../src/log/sqlite/append-steps.ts';
import { execute } from '../../../src/log/sqlite/coordinate.ts';
import { closeLogStore, type LogStore, openLogStore } from '../../../src/log/sqlite/log-store.ts';
import { planAppend, type StepMeta } from '../../../src/log/sqlite/plan-append.ts';
import { readRecords } from '../../../src/log/sqlite/read-records.ts';
import { trimTopic } from '../../../src/log/sqlite/retention.ts';
import { takeWriter, type WriterHandle } from '../../../src/log/sqlite/writer-lease.ts';

const TOPIC = 'raw-blocks';
const ALL = { records: 1000, bytes: 1e9 };
let directory: string;
/** Two processes, from the files' point of view. */
let one: LogStore;
let two: LogStore;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tonhouse-fencing-'));
  one = openLogStore(directory);
  two = openLogStore(directory);
  execute(one, 'establish', {
    identity: { network: 'test', id: 'a', epochSize: 10, lanes: 2, facts: {} },
  });
});

afterEach(() => {
  closeLogStore(one);
  closeLogStore(two);
  rmSync(directory, { recursive: true });
});

const NO_VALUES = new Uint8Array(0);
const step = (position: number, ...keys: string[]): StepMeta => ({
  position,
  epoch: Math.floor(position / 10),
  lane: Math.floor(position / 10) % 2,
  records: keys.map((key) => ({ key, headers: {}, length: 0 })),
});
const keys = (from = 0) =>
  readRecords(two, { topic: TOPIC, lane: 0, from }, ALL).map(({ key, offset }) => `${offset} ${key}`);

/** Steps 1 and 2 of the protocol, and there the writer stops. */
function writeOnly(store: LogStore, writer: WriterHandle, steps: StepMeta[]) {
  const plans = planAppend(store, writer, steps, NO_VALUES);
  for (const plan of plans) writeSegment(store, writer, plan, 1);
  return plans;
}

describe('a writer that stops within an append', () => {
  it('leaves nothing to be read, and its tail is overwritten by the next', () => {
    const first = takeWriter(one, TOPIC, 'a', 0);
    appendSteps(one, first, [step(0, 'kept')], NO_VALUES);
    writeOnly(one, first, [step(1, 'lost 1', 'lost 2', 'lost 3')]);
    expect(keys()).toEqual(['0 kept']);
    const second = takeWriter(two, TOPIC, 'b', 0);
    appendSteps(two, second, [step(2, 'next')], NO_VALUES);
    expect(keys()).toEqual(['0 kept', '1 next']);
    appendSteps(two, second, [step(3, 'more', 'and more')], NO_VALUES);
    expect(keys()).toEqual(['0 kept', '1 next', '2 more', '3 and more']);
  });

  it('cannot publish after another took the lease', () => {
    const first = takeWriter(one, TOPIC, 'a', 0);
    const plans = writeOnly(one, first, [step(1, 'late')]);
    const second = takeWriter(two, TOPIC, 'b', 0);
    expect(() => publishAppend(one, first, plans)).toThrow(FencedError);
    appendSteps(two, second, [step(2, 'next')], NO_VALUES);
    expect(() => publishAppend(one, first, plans)).toThrow(FencedError);
    expect(keys()).toEqual(['0 next']);
  });

  it('cannot overwrite what a newer one wrote and has not published yet', () => {
    const first = takeWriter(one, TOPIC, 'a', 0);
    const stale = planAppend(one, first, [step(1, 'stale')], NO_VALUES);
    const second = takeWriter(two, TOPIC, 'b', 0);
    const plans = writeOnly(two, second, [step(2, 'newer')]);
    for (const plan of stale) expect(() => writeSegment(one, first, plan, 1)).toThrow(FencedError);
    expect(publishAppend(two, second, plans)).toBe(true);
    expect(keys()).toEqual(['0 newer']);
  });

  it('leaves no trace in a segment that the next writer comes back to later', () => {
    const first = takeWriter(one, TOPIC, 'a', 0);
    writeOnly(one, first, [step(1, 'lost 1', 'lost 2', 'lost 3')]);
    const second = takeWriter(two, TOPIC, 'b', 0);
    // The same lane, another epoch, so another segment.
    appendSteps(two, second, [step(20, 'head')], NO_VALUES);
    appendSteps(two, second, [step(2, 'next')], NO_VALUES);
    expect(keys()).toEqual(['0 head']);
    expect(keys(1)).toEqual(['1 next']);
  });

  it('plans again where its segment was trimmed before it could publish', () => {
    const writer = takeWriter(one, TOPIC, 'a', 0);
    appendSteps(one, writer, [step(0, 'old'), step(30, 'tail')], NO_VALUES);
    const plans = writeOnly(one, writer, [step(1, 'new')]);
    expect(trimTopic(two, TOPIC, 1)).toEqual([0]);
    expect(publishAppend(one, writer, plans)).toBe(false);
    appendSteps(one, writer, [step(1, 'new')], NO_VALUES);
    expect(keys()).toEqual(['1 new']);
  });
});
