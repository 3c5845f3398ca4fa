import type { Attack } from '../attack.ts';
import { type Call, jsonCall } from '../http-call.ts';
import { chainOfCells, type RawCell, rawBag } from '../payloads/raw-bag.ts';

const MAX_BYTES = 16 * 1024 * 1024;

/** One cell that is answered many times: by a get method that repeats it, or as arguments that stay on the stack. */
export const repeatedCells: Attack = {
  name: 'repeated cells',
  holds: 'no answer is longer than 16 MB',
  async run({ accounts, sendAll, must }) {
    const wide = rawBag(bushOfCells(1_200)).toString('base64');
    const small = rawBag(chainOfCells(10, '0'.repeat(400))).toString('base64');
    const item = { type: 'cell', value: wide };
    const grid = (count: number): Call =>
      jsonCall('/api/v3/runGetMethod', {
        address: accounts.hostile,
        method: 'grid',
        stack: [item, { type: 'num', value: String(count) }],
      });
    const many = (count: number, value: string): Call =>
      jsonCall('/api/v3/runGetMethod', {
        address: accounts.wallet,
        method: 'seqno',
        stack: Array.from({ length: count }, () => ({ type: 'cell', value })),
      });
    const legacy: Call = jsonCall('/api/v2/runGetMethod', {
      address: accounts.wallet,
      method: 'seqno',
      stack: [['list', Array.from({ length: 300 }, () => ['tvm.Cell', small])]],
    });
    const calls = [
      grid(2),
      grid(16),
      grid(255),
      many(512, small),
      many(25, wide),
      many(8_000, small),
      legacy,
    ];
    for (const { bytes, status } of await sendAll([...calls, ...calls], 4))
      must(bytes <= MAX_BYTES, `an answer of ${bytes} bytes with status ${status}`);
  },
};

/** A tree of four children each, every cell full: about 140 bytes a cell, none like another. */
function bushOfCells(count: number): RawCell[] {
  return Array.from({ length: count }, (_, at) => ({
    bits: at.toString(2).padStart(1_016, '10'),
    refs: [1, 2, 3, 4].map((child) => 4 * at + child).filter((child) => child < count),
  }));
}
