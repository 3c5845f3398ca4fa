import { describe, expect, it } from 'vitest';
import { batchSteps } from '../../../src/capture/batch-steps.ts';
import type { SourceBlock, Step } from '../../../src/capture/source.ts';

const stepOf = (mcSeqno: number, bytes: number): Step => ({
  mcSeqno,
  states: [],
  blocks: [{ boc: new Uint8Array(bytes) } as SourceBlock],
});
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function batches(
  steps: AsyncGenerator<Step>,
  limits = { bytes: 100, ms: 1_000 },
  signal = new AbortController().signal,
  seen: number[][] = [],
) {
  for await (const batch of batchSteps(steps, limits, signal)) seen.push(batch.map(({ mcSeqno }) => mcSeqno));
  return seen;
}

describe('batches of steps', () => {
  it('are full by bytes', async () => {
    async function* source() {
      for (let i = 1; i <= 5; i++) yield stepOf(i, 60);
    }
    expect(await batches(source())).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('do not wait for a slow source', async () => {
    async function* source() {
      yield stepOf(1, 1);
      yield stepOf(2, 1);
      await pause(200);
      yield stepOf(3, 1);
    }
    expect(await batches(source(), { bytes: 100, ms: 20 })).toEqual([[1, 2], [3]]);
  });

  it('do not wait without a time limit, but take steps that are ready', async () => {
    const used = Promise.withResolvers<void>();
    async function* source() {
      for (let i = 1; i <= 3; i++) yield stepOf(i, 30);
      // Step 3 is used, and this one asked for, before it comes.
      await used.promise;
      for (let i = 4; i <= 8; i++) yield stepOf(i, 30);
    }
    const seen: number[][] = [];
    for await (const batch of batchSteps(source(), { bytes: 100, ms: 0 }, new AbortController().signal)) {
      seen.push(batch.map(({ mcSeqno }) => mcSeqno));
      used.resolve();
    }
    expect(seen).toEqual([[1, 2, 3], [4, 5, 6, 7], [8]]);
  });

  it('come before the failure behind them', async () => {
    async function* source() {
      yield stepOf(1, 1);
      throw new RangeError('broken');
    }
    const seen: number[][] = [];
    await expect(batches(source(), undefined, undefined, seen)).rejects.toThrow(RangeError);
    expect(seen).toEqual([[1]]);
  });

  it('end on abort, and the source is closed', async () => {
    const stop = new AbortController();
    let closed = false;
    async function* source() {
      try {
        for (let i = 1; ; i++) {
          yield stepOf(i, 200);
          await pause(1);
        }
      } finally {
        closed = true;
      }
    }
    const seen: number[][] = [];
    for await (const batch of batchSteps(source(), { bytes: 100, ms: 10 }, stop.signal)) {
      seen.push(batch.map(({ mcSeqno }) => mcSeqno));
      if (seen.length === 3) stop.abort();
    }
    expect(seen).toEqual([[1], [2], [3]]);
    expect(closed).toBe(true);
  });

  it('of nothing are none', async () => {
    async function* source(): AsyncGenerator<Step> {}
    expect(await batches(source())).toEqual([]);
  });
});
