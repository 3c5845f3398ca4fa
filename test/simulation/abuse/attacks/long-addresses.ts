import { residentMegabytes } from '../../common/resident-memory.ts';
import type { Attack } from '../attack.ts';
import type { Call } from '../http-call.ts';

/** Growth of the server while it reads 230 MB of addresses. */
const GROWTH_MB = 200;

/** Addresses up to the header limit, each with another unknown parameter: none of them may stay in memory. */
export const longAddresses: Attack = {
  name: 'long addresses',
  holds: 'memory stays within its bounds, and grows by 200 MB at most',
  bounds: { growthMb: 600 },
  async run({ random, sendAll, server, must }) {
    const before = residentMegabytes(server.pid) ?? 0;
    const filler = 'x'.repeat(512 * 1024);
    const one = (length: number): Call => {
      const name = `unknown_${random.below(2 ** 31)}`;
      const path = random.pick(['masterchainInfo', 'transactions', 'blocks']);
      return { path: `/api/v3/${path}?limit=1&${name}=${filler.slice(0, length)}` };
    };
    await sendAll(
      Array.from({ length: 800 }, () => one(60 * 1024)),
      16,
    );
    await sendAll(
      Array.from({ length: 400 }, () => one(450 * 1024)),
      16,
    );
    await sendAll(
      Array.from({ length: 20 }, () => one(512 * 1024)),
      4,
    );
    const growth = (residentMegabytes(server.pid) ?? 0) - before;
    must(growth <= GROWTH_MB, `memory of the server grew by ${growth} MB`);
  },
};
