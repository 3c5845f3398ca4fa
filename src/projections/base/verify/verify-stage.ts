import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditPart, CheckResult } from '../../../engine/projection/table-audit.ts';
import type { StoreClient } from '../../../platform/clickhouse/client.ts';
import { isUnreadable } from '../../../platform/clickhouse/store-errors.ts';
import { ACCOUNT_CHECKS } from './account-checks.ts';
import { BLOCK_CHECKS } from './block-checks.ts';
import { type Check, type IndexFacts, type CheckParams as Params, SLICE_STEPS, type Slice } from './check.ts';
import { countedTables } from './counted-tables.ts';
import { readFirstStep } from './index-facts.ts';
import { rowChecks } from './row-checks.ts';
import { knownSlices } from './store-damage.ts';
import { SUM_CHECKS } from './sum-checks.ts';
import { TRANSACTION_CHECKS } from './transaction-checks.ts';
import { readBounds } from './visible-bounds.ts';

const CONTENT_CHECKS: readonly Check[] = [
  ...BLOCK_CHECKS,
  ...TRANSACTION_CHECKS,
  ...ACCOUNT_CHECKS,
  ...SUM_CHECKS,
];

/** The packed rows of transactions; before version 5 they were next to the columns. */
const PAYLOADS = 'transaction_payloads';

/** Every check of a version, which may have other tables than this release makes. */
async function allChecks({ client, database }: Pick<VerifyOptions, 'client' | 'database'>) {
  const tables = await countedTables(client, database);
  const packed = tables.includes(PAYLOADS) ? PAYLOADS : 'transactions';
  const contents = CONTENT_CHECKS.map((check) => ({
    ...check,
    sql: check.sql.replaceAll('{packed}', packed),
  }));
  return [...rowChecks(tables), ...contents];
}

/** Checks of tables that merge rows, which no step counts. */
export const DERIVED_CHECKS: readonly Check[] = [
  ...ACCOUNT_CHECKS.filter(({ name }) =>
    ['latest-accounts', 'account-codes', 'balance-days', 'ranked-balances'].includes(name),
  ),
  ...SUM_CHECKS,
];

const SAMPLES = 5;
/** Slices of accounts, by the first byte of the account. */
const ACCOUNT_SLICES = 16;
/** The same, one part at a time, during answers. */
export const ACCOUNT_PARTS = 64;

/** Pauses before findings on a running index are checked again, ms: their rows may be in flight. */
const RECHECK_PAUSES_MS: readonly number[] = [100, 400, 1_500];

export interface VerifyOptions {
  readonly client: StoreClient;
  /** Version database of `base`. */
  readonly database: string;
  /** Null: nothing is, and only the checks over all are run. */
  readonly visible: Slice | null;
  /** Condition on `mc_seqno`: steps that may be on their way into the store. Default: none is. */
  readonly open?: () => Promise<string>;
  /** Condition on `mc_seqno`: steps whose raw blocks may be in sealed files only. Default: none are. */
  readonly cold?: () => Promise<string>;
  /** Reads the current visible range, for an index that may grow meanwhile. Default: the range at the start. */
  readonly readRange?: () => Promise<Slice | null>;
  /** Pauses before findings are checked again, ms. None are needed if nothing writes meanwhile. Default: 100, 400 and 1,500. */
  readonly recheckPausesMs?: readonly number[];
  readonly facts: IndexFacts;
  /** Default: all. */
  readonly checks?: readonly Check[];
  /** Part to look at, on one thread of the store; checks that do not apply to it are left out. Default: everything. */
  readonly part?: AuditPart;
  readonly onProgress: (done: number, total: number, check: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Proves from the store itself that nothing is missing, doubled or altered; one result a check. The index may be written
 * meanwhile: only what is confirmed is held against it, and what is found is looked at again before it is said.
 */
export async function runVerify(options: VerifyOptions): Promise<CheckResult[]> {
  const { checks: wanted = await allChecks(options), part } = options;
  const chosen = await possibleChecks(options, wanted);
  const checks = part ? chosen.filter((check) => isApplicable(check, part)) : chosen;
  const results: CheckResult[] = [];
  for (const [done, check] of checks.entries()) {
    options.signal.throwIfAborted();
    options.onProgress(done, checks.length, check.name);
    results.push(await runCheck(check, options));
  }
  options.onProgress(checks.length, checks.length, 'done');
  return results;
}

/** The checks whose tables the version has. */
async function possibleChecks(
  { client, database }: Pick<VerifyOptions, 'client' | 'database'>,
  checks: readonly Check[],
): Promise<readonly Check[]> {
  if (checks.every(({ table }) => table === undefined)) return checks;
  const { rows } = await client.queryRows<[string]>(
    'SELECT name FROM system.tables WHERE database = {database:String}',
    { route: 'verify/tables', params: { database } },
  );
  const tables = new Set(rows.map(([name]) => name));
  return checks.filter(({ table }) => table === undefined || tables.has(table));
}

/** True if a check applies to a part: account checks to accounts, all others to steps. */
function isApplicable({ over }: Check, part: AuditPart): boolean {
  return (over === 'accounts') === 'accounts' in part;
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
  if (!options.visible && check.over !== 'all')
    return { name, law, problems: 0, samples: [], skipped: 'nothing is visible' };
  let problems = 0;
  const samples: string[] = [];
  const { recheckPausesMs = RECHECK_PAUSES_MS } = options;
  for (const slice of await readSlices(check, options)) {
    // A failed check is not retried in the following slices.
    const found = await lastingProblems(check, slice, options, problems === 0 ? recheckPausesMs : []);
    problems += found.problems;
    samples.push(...found.samples.slice(0, SAMPLES - samples.length));
  }
  return { name, law, problems, samples };
}

/** Findings that remain in a second check, over the range that is visible then. */
async function lastingProblems(
  check: Check,
  slice: Params,
  options: VerifyOptions,
  pauses: readonly number[],
) {
  for (const pause of [...pauses, null]) {
    options.signal.throwIfAborted();
    const found = await readProblems(check, { ...(await commonParams(check, options)), ...slice }, options);
    if (found.problems === 0 || pause === null) return found;
    await sleep(pause, undefined, { signal: options.signal });
  }
  throw new RangeError('the last look answers');
}

/** Ranges are of what was visible at the start; of accounts all counts that is visible when it is their turn. */
async function commonParams({ over }: Check, options: VerifyOptions): Promise<Params> {
  const { client, database, visible, readRange, facts } = options;
  if (over === 'all' || !visible) return {};
  if (over !== 'accounts' || !readRange) return boundParams(options, visible, facts);
  const now = (await readRange()) ?? visible;
  // Lanes fill in parallel: an index that began with this step may now begin lower.
  return boundParams(options, now, { ...facts, firstStep: await readFirstStep(client, database) });
}

async function boundParams(
  { client, database }: VerifyOptions,
  now: Slice,
  facts: IndexFacts,
): Promise<Params> {
  const { params, firstOfAccounts } = await readBounds(client, database, now, facts);
  return { ...params, first: firstOfAccounts, last: now.last };
}

async function readProblems(check: Check, params: Params, options: VerifyOptions) {
  const { client, database, open, cold, part, signal } = options;
  const conditions = { '{open}': open, '{cold}': cold };
  let law = check.sql;
  for (const [name, read] of Object.entries(conditions))
    if (law.includes(name)) law = law.replaceAll(name, read ? await read() : '0');
  const sql = `SELECT count(), groupArray(${SAMPLES})(problem) FROM (${law})`;
  try {
    const { rows } = await client.queryRows<[string, string[]]>(sql, {
      params: { ...params, db: database },
      route: `verify/${check.name}`,
      timeoutMs: 600_000,
      signal,
      ...(part && { settings: { max_threads: 1 } }),
    });
    const [count, samples] = rows[0] ?? ['0', []];
    return { problems: Number(count), samples };
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return { problems: 1, samples: [`cannot be read: ${error.message}`] };
  }
}

async function readSlices({ over }: Check, options: VerifyOptions): Promise<Iterable<Params>> {
  const { client, database, facts, visible, part } = options;
  if (part) return [partSlice(part, facts)];
  if (over === 'all') {
    const slices = await knownSlices(client, database, facts.continuity);
    return slices.map(({ first, last }) => ({ first, last }));
  }
  if (over === 'accounts' || !visible) return accountSlices();
  return rangeSlices(visible, facts);
}

function* rangeSlices(visible: Slice, facts: IndexFacts): Generator<Params> {
  const start = Math.max(visible.first, facts.continuity === 'chain' ? facts.firstStep : visible.first);
  // Unrelated blocks are few and far apart: one slice holds them all.
  const width = facts.continuity === 'chain' ? SLICE_STEPS : visible.last - start + 1;
  for (let first = start; first <= visible.last; first += width)
    yield { first, last: Math.min(visible.last, first + width - 1) };
}

function* accountSlices(): Generator<Params> {
  for (let slice = 0; slice < ACCOUNT_SLICES; slice++) yield accountSlice(slice, 1, ACCOUNT_SLICES);
}

/** `count` of `of` equal slices, from the one of that number on. */
function accountSlice(slice: number, count: number, of: number): Params {
  const width = 256 / of;
  return { from: bound(slice * width, '00'), to: bound((slice + count) * width - 1, 'ff') };
}

/** Begins no earlier than the first step that has blocks: the steps before it are empty. */
function partSlice(part: AuditPart, { continuity, firstStep }: IndexFacts): Params {
  if ('accounts' in part) return accountSlice(part.accounts, part.count ?? 1, ACCOUNT_PARTS);
  const { first, last } = part.steps;
  return { first: continuity === 'chain' ? Math.max(first, firstStep) : first, last };
}

/** Smallest or largest account whose first byte is given, hex. */
function bound(firstByte: number, rest: string): string {
  return [firstByte.toString(16).padStart(2, '0'), ...Array(31).fill(rest)].join('');
}
