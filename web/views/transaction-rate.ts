import type { Block } from '../api/types.ts';

/** Seconds of the newest blocks that the rate is counted over. */
export const SPAN_SECONDS = 60;

type TimedBlock = Pick<Block, 'gen_utime' | 'tx_count'>;

/** Transactions of each second between the oldest and the newest block: Unix seconds, and counts. */
export function countRates(blocks: readonly TimedBlock[]): readonly [times: number[], counts: number[]] {
  const bySecond = new Map<number, number>();
  for (const { gen_utime, tx_count } of blocks)
    bySecond.set(Number(gen_utime), (bySecond.get(Number(gen_utime)) ?? 0) + tx_count);
  const seconds = [...bySecond.keys()].toSorted((a, b) => a - b);
  return [seconds, seconds.map((second) => bySecond.get(second) ?? 0)];
}

/** Transactions per second of the newest blocks, as text. */
export function toRate(blocks: readonly TimedBlock[]): string {
  const times = blocks.map(({ gen_utime }) => Number(gen_utime));
  const newest = Math.max(...times);
  const recent = blocks.filter(({ gen_utime }) => Number(gen_utime) > newest - SPAN_SECONDS);
  const seconds = newest - Math.min(...recent.map(({ gen_utime }) => Number(gen_utime)));
  if (blocks.length === 0 || seconds === 0) return '–';
  return (recent.reduce((sum, { tx_count }) => sum + tx_count, 0) / seconds).toFixed(1);
}
