import { expect, it, vi } from 'vitest';
import { mapInChunks } from '../../../../../src/api/http/fairness/map-in-chunks.ts';

/** A row of work that takes `ms` of the thread. */
function busy(ms: number): number {
  for (const end = performance.now() + ms; performance.now() < end; );
  return ms;
}

/** Counts the turns of the event loop while something is made. */
async function countingTurns<T>(make: (turn: () => number) => Promise<T>): Promise<T> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  try {
    return await make(() => turns);
  } finally {
    isOver = true;
  }
}

it('makes all rows in their order', async () => {
  const rows = Array.from({ length: 250 }, (_, at) => at);
  expect(await mapInChunks(rows, (row) => row * 2)).toEqual(rows.map((row) => row * 2));
  expect(await mapInChunks([], String)).toEqual([]);
});

it('gives others their turn while rows take long, and not while they do not', async () => {
  const turnOf = await countingTurns((turn) => mapInChunks([5, 5, 5, 1], (ms) => busy(ms) && turn()));
  expect(turnOf).toEqual([0, 1, 2, 3]);
  // However slow the machine is.
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const turns = await countingTurns((turn) => mapInChunks(Array(20).fill(0), turn));
  now.mockRestore();
  expect(new Set(turns).size).toBe(1);
});

it('makes one slice a turn, of however many answers', async () => {
  const rows = [5, 5, 5, 5];
  const turns = await countingTurns((turn) =>
    Promise.all(['a', 'b', 'c'].map(() => mapInChunks(rows, (ms) => busy(ms) && turn()))),
  );
  // The first slices belong to the turns in which the answers were started.
  const later = turns.flatMap((made) => made.slice(1));
  expect(new Set(later).size).toBe(later.length);
});

it('fails if a row cannot be made, and continues with others', async () => {
  const rows = [5, 5, 5];
  const failed = mapInChunks(rows, (ms) => {
    busy(ms);
    if (ms === 5) throw new Error('no such row');
  });
  await expect(failed).rejects.toThrow('no such row');
  expect(await mapInChunks(rows, busy)).toEqual(rows);
});
