import { expect, it } from 'vitest';
import { ConfirmedNews } from '../../../../src/engine/watermark/confirmed-news.ts';

const NEVER_MS = 600_000;

const database = 'testnet_base_v1';
const steps = (first: number, last: number, partition?: number) => ({
  database,
  partition,
  range: { first, last },
});

it('who waits for a projection hears of its next batch', async () => {
  const news = new ConfirmedNews();
  const heard = news.heard('base', NEVER_MS, undefined);
  news.announce('traces', steps(9, 9));
  news.announce('base', steps(5, 5));
  expect(await heard).toBe(true);
});

it('consecutive steps stay known, separately for each partition', () => {
  const news = new ConfirmedNews();
  expect(news.announced(database)).toBeNull();
  for (const range of [steps(4, 5), steps(6, 9), steps(3, 3)]) news.announce('base', range);
  expect(news.announced(database)).toEqual({ first: 3, last: 9 });
  news.announce('base', steps(11, 12));
  expect(news.announced(database)).toEqual({ first: 11, last: 12 });
  news.announce('base', steps(1, 2, 1));
  expect([news.announced(database, 1), news.announced(database, 0)]).toEqual([{ first: 1, last: 2 }, null]);
});

it('waits no longer than its limit, and ends with its signal', async () => {
  const news = new ConfirmedNews();
  expect(await news.heard('base', 1, undefined)).toBe(false);
  const stop = new AbortController();
  const heard = news.heard('base', NEVER_MS, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(heard).rejects.toThrow();
});
