import { setTimeout as sleep } from 'node:timers/promises';
import { askApi } from '../common/ask-api.ts';
import { BenchError } from '../common/bench-error.ts';
import { busyAccounts, openEvents } from './event-stream.ts';

/** Losses of a stream at a busy head: its transactions compared with the API's. */
export interface Losses {
  /** Transactions a second of all blocks that became visible. */
  readonly rate: number;
  /** Transactions of the watched accounts that were due. */
  readonly due: number;
  readonly lost: number;
  /** Sent more than once. */
  readonly doubled: number;
}

/** Accounts that are watched: those with most transactions. */
const ACCOUNTS = 500;
const PAGE = 1_000;
/** Allowed lag of the stream after the visible range, ms. */
const BEHIND_MS = 60_000;
const POLL_INTERVAL_MS = 100;

interface Transaction {
  readonly hash: string;
  readonly account: string;
  readonly trace_external_hash?: string;
}

/** Watches for so many seconds, then reads the same blocks by v3. */
export async function measureLosses(api: string, seconds: number): Promise<Losses> {
  const accounts = await busyAccounts(api, ACCOUNTS);
  const sent = new Map<string, number>();
  let place = 0;
  const stream = await openEvents(api, accounts, (id, json) => {
    place = Math.max(place, Number.parseInt(id, 10));
    const { transactions } = JSON.parse(json) as { transactions: Transaction[] };
    for (const { hash } of transactions) sent.set(hash, (sent.get(hash) ?? 0) + 1);
  });
  const [first, begun] = [await visibleHead(api), performance.now()];
  await sleep(seconds * 1_000);
  const [last, tookMs] = [await visibleHead(api), performance.now() - begun];
  if (last - first < 3) throw new BenchError(`only ${last - first} blocks became visible`);
  for (const end = performance.now() + BEHIND_MS; place <= last && performance.now() < end; )
    await sleep(POLL_INTERVAL_MS);
  stream.close();
  const watched = new Set(accounts);
  let [all, due, lost] = [0, 0, 0];
  for (let step = first + 2; step <= last; step++) {
    for (const one of await readTransactions(api, step)) {
      all++;
      if (!watched.has(one.account) || one.trace_external_hash === undefined) continue;
      due++;
      if (!sent.has(one.hash)) lost++;
    }
  }
  const doubled = [...sent.values()].filter((times) => times > 1).length;
  return { rate: (all / (last - first - 1)) * ((last - first) / (tookMs / 1_000)), due, lost, doubled };
}

async function visibleHead(api: string): Promise<number> {
  const { last } = await askApi<{ last: { seqno: number } }>(`${api}/masterchainInfo`);
  return last.seqno;
}

async function readTransactions(api: string, step: number): Promise<readonly Transaction[]> {
  const all: Transaction[] = [];
  for (;;) {
    const query = `seqno=${step}&limit=${PAGE}&offset=${all.length}`;
    const { transactions } = await askApi<{ transactions: Transaction[] }>(
      `${api}/transactionsByMasterchainBlock?${query}`,
    );
    all.push(...transactions);
    if (transactions.length < PAGE) return all;
  }
}
