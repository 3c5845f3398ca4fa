import { setTimeout as sleep } from 'node:timers/promises';
import { readHead } from '../idle/product-process.ts';

/** Requests that clients send in turn. */
const PATHS = [
  'transactions?limit=20',
  'blocks?limit=5',
  'actions?limit=10',
  'topAccountsByBalance?limit=10',
];
const PAUSE_MS = 100;

export interface ApiClients {
  stop(): Promise<void>;
}

/** Clients that ask all the time, and one that looks at the head. Errors of requests are part of the load. */
export function startClients(
  api: string,
  count: number,
  pollMs: number,
  onHead: (head: number) => void,
): ApiClients {
  let isOver = false;
  const watch = async () => {
    while (!isOver) {
      onHead(await readHead(api).catch(() => 0));
      await sleep(pollMs);
    }
  };
  const ask = async (first: number) => {
    for (let turn = first; !isOver; turn++) {
      const answer = await fetch(`${api}/${PATHS[turn % PATHS.length]}`).catch(() => null);
      await answer?.arrayBuffer().catch(() => null);
      await sleep(PAUSE_MS);
    }
  };
  const running = Promise.all([watch(), ...Array.from({ length: count }, (_, index) => ask(index))]);
  return {
    async stop() {
      isOver = true;
      await running;
    },
  };
}
