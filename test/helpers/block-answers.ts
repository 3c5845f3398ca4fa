import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';

const SHARD = encodeURIComponent('-9223372036854775808');

/** The answer of a route without its time, as soon as blocks are visible. The status must be 200. */
export async function askVisible(url: string): Promise<ReturnType<typeof JSON.parse>> {
  for (;;) {
    const response = await fetch(url);
    const text = await response.text();
    if (response.status !== 503) {
      expect(response.status, text).toBe(200);
      const { '@extra': _, ...answer } = JSON.parse(text);
      return answer;
    }
    await setTimeout(100);
  }
}

/** Path of the v2 answer with cells of the raw block, of a masterchain block. */
export const cellsPath = (seqno: number) =>
  `/api/v2/getBlockTransactionsExt?workchain=-1&shard=${SHARD}&seqno=${seqno}&count=40`;

/** Transactions with their cells, of the first `count` masterchain blocks. */
export async function cellsOfBlocks(url: string, count: number): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (let seqno = 1; seqno <= count; seqno++)
    answers.push((await askVisible(url + cellsPath(seqno))).result.transactions);
  return answers;
}
