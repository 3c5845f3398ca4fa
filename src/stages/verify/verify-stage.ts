import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { ACCOUNT_CHECKS } from './account-checks.ts';
import { BLOCK_CHECKS } from './block-checks.ts';
import type { Check, CheckResult, IndexFacts, Slice } from './check.ts';
import { TRANSACTION_CHECKS } from './transaction-checks.ts';

export const CHECKS: readonly Check[] = [...BLOCK_CHECKS, ...TRANSACTION_CHECKS, ...ACCOUNT_CHECKS];

const SAMPLES = 5;
/** Masterchain seqnos a slice: keeps the memory of a check bounded. */
const SLICE_STEPS = 20_000;
/** Slices of accounts, by the first byte of the account. */
const ACCOUNT_SLICES = 16;

export interface VerifyOptions {
  readonly client: StoreClient;
  /** Version database of `base`. */
  readonly database: string;
  readonly visible: Slice;
  readonly facts: IndexFacts;
  readonly onProgress: (done: number, total: number, check: string) => void;
  readonly signal: AbortSignal;
}

/** Proves from the store itself that nothing is missing, doubled or altered; one result a check. */
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
  for (const params of slices(check, options)) {
    options.signal.throwIfAborted();
    const found = await problemsOf(check, params, options);
    problems += found.problems;
    samples.push(...found.samples.slice(0, SAMPLES - samples.length));
  }
  return { name, law, problems, samples };
}

async function problemsOf(
  check: Check,
  params: Record<string, unknown>,
  { client, database }: VerifyOptions,
) {
  const sql = `SELECT count(), groupArray(${SAMPLES})(problem) FROM (${check.sql})`;
  const { rows } = await client.queryRows<[string, string[]]>(sql, {
    params: { ...params, db: database },
    route: `verify/${check.name}`,
    timeoutMs: 600_000,
  });
  const [count, samples] = rows[0] ?? ['0', []];
  return { problems: Number(count), samples };
}

function* slices(check: Check, { visible, facts }: VerifyOptions): Generator<Record<string, unknown>> {
  const common = { first_step: facts.firstStep, start_lt: facts.startLt.toString() };
  const start = Math.max(visible.first, facts.continuity === 'chain' ? facts.firstStep : visible.first);
  if (check.over === 'range') {
    // Unrelated blocks are few and far apart: one slice holds them all.
    const width = facts.continuity === 'chain' ? SLICE_STEPS : visible.last - start + 1;
    for (let first = start; first <= visible.last; first += width)
      yield { ...common, first, last: Math.min(visible.last, first + width - 1) };
    return;
  }
  const width = 256 / ACCOUNT_SLICES;
  for (let from = 0; from < 256; from += width)
    yield {
      ...common,
      last: visible.last,
      from: bound(from, '00'),
      to: bound(from + width - 1, 'ff'),
    };
}

/** Smallest or largest account whose first byte is given, hex. */
function bound(firstByte: number, rest: string): string {
  return [firstByte.toString(16).padStart(2, '0'), ...Array(31).fill(rest)].join('');
}
