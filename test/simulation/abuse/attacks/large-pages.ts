import type { Attack } from '../attack.ts';
import type { Call } from '../http-call.ts';

const CLIENTS = 200;

/** As many clients as it takes, each for the longest page; half of them leave before it is there, or while it comes. */
export const largePages: Attack = {
  name: 'large pages for many',
  holds: 'each is answered with 200, or with 503 and Retry-After',
  bounds: { honestServed: 0.3, stallMs: 3_000 },
  async run({ random, sendAll, addresses }) {
    const pages = ['transactions', 'messages', 'blocks', 'topAccountsByBalance'];
    const calls = Array.from({ length: 2 * CLIENTS }, (_, at): Call => {
      // Offsets differ: no answer is cached.
      const from = at % 2 === 0 ? random.pick(addresses.many) : undefined;
      const path = `/api/v3/${random.pick(pages)}?limit=1000&offset=${random.below(500)}`;
      if (at % 4 === 0) return { path, from, leaveAfterMs: random.below(1_000) };
      return at % 4 === 1 ? { path, from, leaveAfterBytes: 1 + random.below(10_000) } : { path, from };
    });
    await sendAll(calls, CLIENTS);
  },
};
