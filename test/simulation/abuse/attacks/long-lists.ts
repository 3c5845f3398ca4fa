import { randomBytes } from 'node:crypto';
import type { Attack } from '../attack.ts';
import { type Call, jsonCall } from '../http-call.ts';

const COUNTS = [1_000, 1_001, 5_000];

/** Thousands of keys in one request. */
export const longLists: Attack = {
  name: 'long lists of keys',
  holds: 'more than 1,000 keys are refused with 4xx, and little is logged of them',
  bounds: { logBytes: 64 * 1024 },
  async run({ send, must }) {
    const hashes = Array.from({ length: 5_000 }, () => randomBytes(32).toString('hex'));
    for (const count of COUNTS) {
      const some = hashes.slice(0, count);
      const calls: Call[] = [
        { path: `/api/v3/transactions?hash=${some.join(',')}` },
        { path: `/api/v3/transactions?${some.map((hash) => `account=0:${hash}`).join('&')}` },
        { path: `/api/v3/messages?msg_hash=${some.join(',')}` },
        { path: `/api/v3/accountStates?address=${some.map((hash) => `0:${hash}`).join(',')}` },
        { path: `/api/v3/addressBook?address=${some.map((hash) => `0:${hash}`).join(',')}` },
        { path: `/api/v3/transactionsByMessage?msg_hash=${some.join(',')}` },
        { path: `/api/v3/pendingTransactions?${some.map((hash) => `account=0:${hash}`).join('&')}` },
        { path: `/api/v3/pendingTraces?ext_msg_hash=${some.join(',')}` },
        { path: `/api/v2/getLibraries?libraries=${some.join(',')}` },
        jsonCall('/api/v2/getLibraries', { libraries: some }),
      ];
      for (const call of calls) {
        const { status } = await send(call);
        must(
          count < 5_000 || (status >= 400 && status < 500),
          `${count} keys: ${call.path.slice(0, 40)} ${status}`,
        );
      }
    }
  },
};
