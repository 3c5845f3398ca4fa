import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Pacer } from '../../../src/localnet/engine/pacer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const BLOCK_MS = 400;
const IDLE_MS = 2_000;
const { signal } = new AbortController();

/** Milliseconds until the next block is due. */
async function wait(pacer: Pacer): Promise<number> {
  const began = performance.now();
  const due = pacer.due(signal).then(() => performance.now() - began);
  await vi.advanceTimersByTimeAsync(2 * IDLE_MS);
  return due;
}

it('waits longer where nothing is to be done', async () => {
  const pacer = new Pacer({ blockMs: BLOCK_MS, idleMs: IDLE_MS });
  expect(await wait(pacer)).toBe(0);
  pacer.made(true);
  expect(await wait(pacer)).toBe(BLOCK_MS);
  pacer.made(false);
  expect(await wait(pacer)).toBe(IDLE_MS);
});

it('remembers what came while a block was made, which may not have it', async () => {
  const pacer = new Pacer({ blockMs: BLOCK_MS, idleMs: IDLE_MS });
  await wait(pacer);
  pacer.poke();
  pacer.made(false);
  expect(await wait(pacer)).toBe(BLOCK_MS);
  pacer.made(false);
  expect(await wait(pacer)).toBe(IDLE_MS);
});
