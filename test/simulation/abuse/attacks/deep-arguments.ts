import type { Attack } from '../attack.ts';
import { jsonCall } from '../http-call.ts';
import { chainOfCells, fanOfCells, rawBag } from '../payloads/raw-bag.ts';
import { cellCalls } from './method-calls.ts';

const DEPTHS = [200, 350, 440, 512, 700, 1_000, 1_023, 1_500, 5_000];

/** Cells that are deeper than the recursion of who reads them. */
export const deepArguments: Attack = {
  name: 'deep arguments',
  holds: 'get methods work after each of them',
  async run({ accounts, send, must }) {
    for (const depth of DEPTHS) {
      for (const bag of [rawBag(chainOfCells(depth)), rawBag(fanOfCells(depth))]) {
        for (const kind of ['cell', 'slice'] as const) {
          for (const call of [
            ...cellCalls(accounts.wallet, 'seqno', bag, kind),
            ...cellCalls(accounts.hostile, 'dataDepth', bag, kind).slice(0, 1),
          ])
            await send(call);
        }
      }
      const seqno = { address: accounts.wallet, method: 'seqno', stack: [] };
      const { status, text } = await send(jsonCall('/api/v3/runGetMethod', seqno));
      must(status === 200 && text.includes('"exit_code":0'), `seqno after depth ${depth}: ${status} ${text}`);
    }
  },
};
