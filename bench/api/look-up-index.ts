import { setTimeout as sleep } from 'node:timers/promises';
import { BenchError } from '../common/bench-error.ts';

/** Whether the measured API has its look-up index. */
export type LookUpChoice = 'on' | 'off';

const LIMIT_MS = 1_800_000;
const POLL_MS = 200;

interface Steps {
  readonly first: number;
  readonly last: number;
}

interface Health {
  readonly lookupIndex?: {
    readonly bytes: number;
    readonly projections: readonly { readonly database: string | null; readonly steps: Steps | null }[];
  };
}

/** Waits until the look-up index of an API that nothing is written to is complete. Returns its bytes. @throws BenchError */
export async function untilIndexed(url: string): Promise<number> {
  const read = async (path: string) => (await (await fetch(`${url}${path}`)).json()) as unknown;
  const { first, last } = (await read('/api/v3/masterchainInfo')) as Record<
    'first' | 'last',
    { readonly seqno: number }
  >;
  const isDone = ({ database, steps }: { readonly database: string | null; readonly steps: Steps | null }) =>
    database === null || (steps !== null && steps.first <= first.seqno && steps.last >= last.seqno);
  for (const end = performance.now() + LIMIT_MS; performance.now() < end; await sleep(POLL_MS)) {
    const { lookupIndex } = (await read('/healthz')) as Health;
    if (!lookupIndex) throw new BenchError('the API has no look-up index');
    const isBegun = lookupIndex.projections.some(({ database }) => database !== null);
    if (isBegun && lookupIndex.projections.every(isDone)) return lookupIndex.bytes;
  }
  throw new BenchError(`the look-up index was not complete after ${LIMIT_MS / 60_000} minutes`);
}
