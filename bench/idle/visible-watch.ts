import { setTimeout as sleep } from 'node:timers/promises';
import { BenchError } from '../common/bench-error.ts';
import { readHead } from './product-process.ts';

/** A client that wants to see the newest: how often it asks. */
const ASK_MS = 25;

/**
 * Polls the head for a number of seconds. Returns the delays from each emitted step to an answer with its transactions,
 * milliseconds, in order of the steps. Earlier steps are excluded. `handedOut`: Unix times by masterchain seqno, milliseconds.
 */
export async function watchHead(
  api: string,
  handedOut: ReadonlyMap<number, number>,
  seconds: number,
): Promise<number[]> {
  const begun = Date.now();
  const end = performance.now() + seconds * 1_000;
  const times: number[] = [];
  let known = await readHead(api);
  while (performance.now() < end) {
    await sleep(ASK_MS);
    const head = await readHead(api);
    // 0: the server is overloaded.
    if (head <= known) continue;
    await requireTransactions(api, head);
    const now = Date.now();
    for (let step = known + 1; step <= head; step++) {
      const at = handedOut.get(step);
      if (at !== undefined && at >= begun) times.push(now - at);
    }
    known = head;
  }
  return times;
}

/** The server is overloaded or out of time: nothing is known about the step. */
const BUSY = new Set([503, 504]);

/** Every step has at least its masterchain block's transactions: a list without them would contradict the head. */
async function requireTransactions(api: string, mcSeqno: number): Promise<void> {
  const first = await askTransactions(api, mcSeqno);
  if (first.count > 0) return;
  if (BUSY.has(first.status)) return requireTransactions(api, mcSeqno);
  const again = await askTransactions(api, mcSeqno);
  throw new BenchError(
    `step ${mcSeqno} is announced, and a list lacks it: ${first.status} ${first.text}; asked again: ${again.status}, ${again.count} transactions`,
  );
}

async function askTransactions(api: string, mcSeqno: number) {
  const answer = await fetch(`${api}/transactionsByMasterchainBlock?seqno=${mcSeqno}`);
  const text = await answer.text();
  const { transactions } = JSON.parse(text) as { transactions?: readonly unknown[] };
  return { status: answer.status, text, count: transactions?.length ?? 0 };
}
