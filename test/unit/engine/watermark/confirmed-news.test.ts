import { expect, it } from 'vitest';
import { ConfirmedNews } from '../../../../src/engine/watermark/confirmed-news.ts';

const NEVER_MS = 600_000;

it('who waits for a projection hears of its next batch, and the highest position stays known', async () => {
  const news = new ConfirmedNews();
  expect(news.highest('base')).toBeNull();
  news.tell('base', 7);
  const heard = news.heard('base', NEVER_MS, undefined);
  news.tell('traces', 9);
  news.tell('base', 5);
  await heard;
  expect(news.highest('base')).toBe(7);
});

it('waits no longer than it was told to, and ends with its signal', async () => {
  const news = new ConfirmedNews();
  await news.heard('base', 1, undefined);
  const stop = new AbortController();
  const heard = news.heard('base', NEVER_MS, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(heard).rejects.toThrow();
});
