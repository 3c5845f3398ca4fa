import { setTimeout as sleep } from 'node:timers/promises';
import { busyAccounts, type EventStream, openEvents } from '../stream/event-stream.ts';

/** Requests of API clients. */
export interface ClientCounts {
  readonly answered: number;
  /** Answers with an error status, and broken connections. */
  readonly failed: number;
  /** Events of streams. */
  readonly events: number;
}

export interface ApiClients {
  /** Resolves when all clients have their last answer. */
  stop(): Promise<ClientCounts>;
}

const CLIENTS = 8;
const STREAMS = 10;
/** Accounts of one stream. */
const ADDRESSES = 5;
const ACCOUNTS = 50;
/** Pause of a client after each answer. */
const PAUSE_MS = 250;

/** Uses the API as wallets and explorers do. Resolves when the streams are open and the first accounts are known. */
export async function startClients(api: string): Promise<ApiClients> {
  const over = new AbortController();
  const { signal } = over;
  const counts = { answered: 0, failed: 0, events: 0 };
  const accounts = await findAccounts(api);
  const streams: EventStream[] = [];
  for (let at = 0; at < STREAMS; at++) {
    const first = (at * ADDRESSES) % accounts.length;
    const addresses = [...accounts, ...accounts].slice(first, first + ADDRESSES);
    streams.push(await openEvents(api, addresses, () => void counts.events++));
  }
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let turn = client; !signal.aborted; turn++) {
      if (await isAnswered(`${api}/${path(turn, accounts)}`)) counts.answered++;
      else counts.failed++;
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => {});
    }
  });
  return {
    async stop() {
      over.abort();
      await Promise.all(clients);
      for (const stream of streams) stream.close();
      return counts;
    },
  };
}

/** Accounts of the newest transactions. Waits until there are some. */
async function findAccounts(api: string): Promise<string[]> {
  for (;;) {
    const accounts = await busyAccounts(api, ACCOUNTS);
    if (accounts.length >= ADDRESSES) return accounts;
    await sleep(PAUSE_MS);
  }
}

async function isAnswered(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url);
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

function path(turn: number, accounts: readonly string[]): string {
  const account = encodeURIComponent(accounts[turn % accounts.length] ?? '');
  const paths = [
    'transactions?limit=20&sort=desc',
    `transactions?account=${account}&limit=20&sort=desc`,
    `accountStates?address=${account}`,
    `actions?account=${account}&limit=20`,
    `traces?account=${account}&limit=10`,
    'blocks?limit=10&sort=desc',
    `jetton/wallets?owner_address=${account}&limit=20`,
  ];
  return paths[turn % paths.length] as string;
}
