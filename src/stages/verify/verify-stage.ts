import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { ACCOUNT_CHECKS } from './account-checks.ts';
import { BLOCK_CHECKS } from './block-checks.ts';
import type { Check, CheckResult, IndexFacts, Slice } from './check.ts';
import { TRANSACTION_CHECKS } from './transaction-checks.ts';
import { boundsOf } from './visible-bounds.ts';

export const CHECKS: readonly Check[] = [...BLOCK_CHECKS, ...TRANSACTION_CHECKS, ...ACCOUNT_CHECKS];

const SAMPLES = 5;
/** Masterchain seqnos a slice: keeps the memory of a check bounded. */
const SLICE_STEPS = 20_000;
type Params = Readonly<Record<string, unknown>>;
/** Slices of accounts, by the first byte of the account. */
const ACCOUNT_SLICES = 16;

/** What is found beside a running index is looked at again after these pauses, ms: it may only be on its way. */
const LOOK_AGAIN_MS = [100, 400, 1_500];

export interface VerifyOptions {
  readonly client: StoreClient;
  /** Version database of `base`. */
  readonly database: string;
  readonly visible: Slice;
  /** What is visible by now, where the index may grow meanwhile. Default: what was visible at the start. */
  readonly look?: () => Promise<Slice | null>;
  readonly facts: IndexFacts;
  readonly onProgress: (done: number, total: number, check: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Proves from the store itself that nothing is missing, doubled or altered; one result a check. The index may be written
 * meanwhile: only what is confirmed is held against it, and what is found is looked at again before it is said.
 */
export async function runVerify(options: VerifyOptions): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const [done, check] of CHECKS.entries()) {
    options.signal.throwIfAborted();
    options.onProgress(done, CHECKS.length, check.name);
    results.push(await runCheck(check, options));
  }
  options.onProgress(CHECKS.length, CHECKS.length, 'done');
  return results;
}

async function runCheck(check: Check, options: VerifyOptions): Promise<CheckResult> {
  const { name, law } = check;
  if (check.needsChain && options.facts.continuity === 'isolated')
    return {
      name,
      law,
      problems: 0,
      samples: [],
      skipped: 'the blocks of this data directory are unrelated',
    };
  let problems = 0;
  const samples: string[] = [];
  const slices = check.over === 'range' ? rangeSlices(options) : accountSlices();
  for (const slice of slices) {
    const found = await lastingProblems(check, slice, options);
    problems += found.problems;
    samples.push(...found.samples.slice(0, SAMPLES - samples.length));
  }
  return { name, law, problems, samples };
}

/** What is still found when it is looked at again, by what is visible then. */
async function lastingProblems(check: Check, slice: Params, options: VerifyOptions) {
  for (const pause of [...LOOK_AGAIN_MS, null]) {
    options.signal.throwIfAborted();
    const found = await problemsOf(check, { ...(await commonParams(check, options)), ...slice }, options);
    if (found.problems === 0 || pause === null) return found;
    await sleep(pause, undefined, { signal: options.signal });
  }
  throw new RangeError('the last look answers');
}

/** Ranges are of what was visible at the start; of accounts all counts that is visible when it is their turn. */
async function commonParams({ over }: Check, options: VerifyOptions): Promise<Params> {
  const { client, database, visible, look, facts } = options;
  const now = over === 'accounts' && look ? ((await look()) ?? visible) : visible;
  const { params, firstOfAccounts } = await boundsOf(client, database, now, facts);
  return { ...params, first: firstOfAccounts, last: now.last };
}

async function problemsOf(check: Check, params: Params, { client, database }: VerifyOptions) {
  const sql = `SELECT count(), groupArray(${SAMPLES})(problem) FROM (${check.sql})`;
  const { rows } = await client.queryRows<[string, string[]]>(sql, {
    params: { ...params, db: database },
    route: `verify/${check.name}`,
    timeoutMs: 600_000,
  });
  const [count, samples] = rows[0] ?? ['0', []];
  return { problems: Number(count), samples };
}

function* rangeSlices({ visible, facts }: VerifyOptions): Generator<Params> {
  const start = Math.max(visible.first, facts.continuity === 'chain' ? facts.firstStep : visible.first);
  // Unrelated blocks are few and far apart: one slice holds them all.
  const width = facts.continuity === 'chain' ? SLICE_STEPS : visible.last - start + 1;
  for (let first = start; first <= visible.last; first += width)
    yield { first, last: Math.min(visible.last, first + width - 1) };
}

function* accountSlices(): Generator<Params> {
  const width = 256 / ACCOUNT_SLICES;
  for (let from = 0; from < 256; from += width)
    yield { from: bound(from, '00'), to: bound(from + width - 1, 'ff') };
}

/** Smallest or largest account whose first byte is given, hex. */
function bound(firstByte: number, rest: string): string {
  return [firstByte.toString(16).padStart(2, '0'), ...Array(31).fill(rest)].join('');
}
