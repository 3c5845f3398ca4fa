import type { Attack } from '../attack.ts';
import { methodCalls } from './method-calls.ts';

const QUESTIONS: readonly (readonly [string, number])[] = [
  ['deep', 200],
  ['deep', 350],
  ['deep', 600],
  ['deep', 1_000],
  ['same', 255],
  ['pairs', 8],
  ['pairs', 24],
  ['pairs', 250],
  ['nested', 100],
  ['nested', 300],
  ['nested', 2_000],
  ['nested', 20_000],
];
const MAX_BYTES = 16 * 1024 * 1024;

/** Stacks that grow when they are written down: deep cells, tuples of one tuple twice, the same cell again and again. */
export const deepResults: Attack = {
  name: 'deep results',
  holds: 'no answer is longer than 16 MB, and get methods work after each of them',
  async run({ accounts, send, must }) {
    for (const [method, argument] of QUESTIONS) {
      for (const call of methodCalls(accounts.hostile, method, [argument])) {
        const { bytes } = await send(call);
        must(bytes <= MAX_BYTES, `${method}(${argument}) answered ${bytes} bytes`);
      }
    }
  },
};
