/** On one machine the kernel knows whether the owner of a lease lives: no clock is needed for that. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { LeaseHeldError } from '../../../src/log/errors.ts';
import { waitForWriter } from '../../../src/log/wait-for-writer.ts';
import { createLog } from '../../../src/platform/observability/log.ts';
import { Waits } from '../../../src/platform/observability/waits.ts';
import { startConsumer, startWriter } from './child-process.ts';
import { IDENTITY, TOPIC } from './log-fixture.ts';
import { temporaryLog } from './temporary-log.ts';
import { chainStep } from './test-steps.ts';

/** Longer than any test runs: a lease that had to end by itself would fail it. */
const LONG_MS = 600_000;

async function ownedLog() {
  const log = await temporaryLog();
  onTestFinished(() => log.dispose());
  const bus = await log.open();
  await bus.establish(IDENTITY);
  return { log, bus };
}

const scope = (owner: string) => ({
  owner,
  log: createLog('error', 'plain'),
  signal: new AbortController().signal,
  waits: new Waits(),
});

it('the lease of a writer that was killed ends with its process', async () => {
  const { log, bus } = await ownedLog();
  const child = startWriter(log.place, 3, LONG_MS);
  onTestFinished(() => child.kill());
  await child.told('ready');
  await expect(bus.writer(TOPIC, 'next', LONG_MS)).rejects.toThrow(LeaseHeldError);
  await child.kill();
  const writer = await bus.writer(TOPIC, 'next', LONG_MS);
  expect(writer.lease.generation).toBeGreaterThan(1);
});

it('lanes and membership of a consumer that was killed end with its process', async () => {
  const { log, bus } = await ownedLog();
  await (await bus.writer(TOPIC, 'w', LONG_MS)).append([chainStep(8, 0)]);
  const child = startConsumer(log.place, LONG_MS);
  onTestFinished(() => child.kill());
  await child.told('ready');
  await child.kill();
  const owners = (await bus.lag()).map(({ owner }) => owner);
  expect(new Set(owners)).toEqual(new Set([null]));
  const consumer = await bus.consumer({ topic: TOPIC, group: 'g', owner: 'next', sessionMs: LONG_MS });
  expect(await consumer.claim()).toHaveLength(IDENTITY.lanes);
});

it('a process that waits for the lease of a living one shows it, and takes it once it is free', async () => {
  const { log, bus } = await ownedLog();
  const holder = await bus.writer(TOPIC, 'holder', LONG_MS);
  const other = await log.open();
  const waiting = scope('next');
  const done = waitForWriter(other, { topic: TOPIC, sessionMs: LONG_MS }, waiting);
  const text = 'capture waits for the lease of holder on the log';
  await vi.waitFor(() => expect(waiting.waits.oldest).toBe(text), { timeout: 60_000 });
  await holder.release();
  await done;
  expect(waiting.waits.oldest).toBeNull();
});

it('a lease that is renewed after the clock was set back has a living holder', async () => {
  const { log, bus } = await ownedLog();
  await bus.writer(TOPIC, 'holder', LONG_MS);
  const other = await log.open();
  const waiting = scope('next');
  const done = waitForWriter(other, { topic: TOPIC, sessionMs: LONG_MS }, waiting);
  const outcome = expect(done).rejects.toThrow(LeaseHeldError);
  await vi.waitFor(() => expect(waiting.waits.oldest).not.toBeNull(), { timeout: 60_000 });
  // The new end is before the one that the waiter saw, as after such a renewal.
  await bus.writer(TOPIC, 'holder', LONG_MS / 2);
  await outcome;
});
