import type { Attack } from '../attack.ts';
import { jsonCall } from '../http-call.ts';
import { chainOfCells, fanOfCells, rawBag } from '../payloads/raw-bag.ts';

const DEPTHS = [200, 350, 440, 512, 700, 1_000, 3_000];

/** Estimates of fees with deep bodies, codes and data. */
export const deepEstimates: Attack = {
  name: 'deep estimates',
  holds: 'estimates work after each of them',
  async run({ accounts, random, send }) {
    const absent = `0:${random
      .below(2 ** 31)
      .toString(16)
      .padStart(64, '0')}`;
    const small = rawBag(chainOfCells(1)).toString('base64');
    for (const depth of DEPTHS) {
      for (const cells of [chainOfCells(depth), fanOfCells(depth)]) {
        const deep = rawBag(cells).toString('base64');
        for (const address of [accounts.wallet, accounts.hostile, absent]) {
          for (const parts of [
            { body: deep },
            { body: small, init_code: deep, init_data: small },
            { body: small, init_code: small, init_data: deep },
          ]) {
            await send(jsonCall('/api/v3/estimateFee', { address, ignore_chksig: true, ...parts }));
            await send(jsonCall('/api/v2/estimateFee', { address, ...parts }));
          }
        }
      }
    }
  },
};
