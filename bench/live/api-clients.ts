import { setTimeout as sleep } from 'node:timers/promises';
import { busyAccounts, type EventStream, openEvents } from '../stream/event-stream.ts';

/** Requests of API clients. */
export interface ClientCounts {
  answered: number;
  /** Answers with an error status. */
  failed: number;
  /** Events of streams. */
  events: number;
}

const CLIENTS = 8;
const STREAMS = 10;
/** Accounts of one stream. */
const ADDRESSES = 5;
const ACCOUNTS = 50;
/** Pause of a client after each answer. */
const PAUSE_MS = 250;

/** Uses the API as wallets and explorers do until `signal` aborts. */
export async function runClients(api: string, signal: AbortSignal): Promise<ClientCounts> {
  const counts: ClientCounts = { answered: 0, failed: 0, events: 0 };
  const accounts = await busyAccounts(api, ACCOUNTS);
  const streams: EventStream[] = [];
  for (let at = 0; at < STREAMS; at++) {
    const first = (at * ADDRESSES) % accounts.length;
    const addresses = [...accounts, ...accounts].slice(first, first + ADDRESSES);
    streams.push(await openEvents(api, addresses, () => void counts.events++));
  }
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let turn = client; !signal.aborted; turn++) {
      const answer = await fetch(`${api}/${path(turn, accounts)}`);
      await answer.arrayBuffer();
      if (answer.ok) counts.answered++;
      else counts.failed++;
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => {});
    }
  });
  await Promise.all(clients);
  for (const stream of streams) stream.close();
  return counts;
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
