import type { RowStart } from '../../engine/projection/row-maker.ts';
import { accountIds } from '../records/account-ids.ts';
import type { TransactionFact } from './transaction-facts.ts';

/** An account's counters after a masterchain step. */
export interface Counters {
  /** The step that changed them last. */
  position: number;
  readonly workchain: number;
  /** 32 bytes. */
  readonly account: Buffer;
  /** Unix times, seconds, and lts of its first and last transaction. */
  readonly firstUtime: number;
  readonly firstLt: bigint;
  lastUtime: number;
  lastLt: bigint;
  transactions: bigint;
  aborted: bigint;
  messagesIn: bigint;
  messagesOut: bigint;
  /** Nanotons. */
  fees: bigint;
  /** Of the step: whether it has the account's first transaction, and hours and days since 1970 that begin with it. */
  isNew: boolean;
  newHours: number[];
  newDays: number[];
}

const HOUR = 3_600;
const DAY = 86_400;

/** True if a time is in a later hour or day than the one before, or there is none before. */
function isLater(utime: number, before: number | null, seconds: number): boolean {
  return before === null || Math.floor(utime / seconds) > Math.floor(before / seconds);
}

/** Counters after one more transaction; of an account that had none, the first. */
export function counted(before: Counters | undefined, fact: TransactionFact): Counters {
  const { position, workchain, account, utime, lt, fees } = fact;
  const lastUtime = before?.lastUtime ?? null;
  const counters = before ?? {
    position,
    workchain,
    account: Buffer.from(account),
    firstUtime: utime,
    firstLt: lt,
    lastUtime: utime,
    lastLt: lt,
    transactions: 0n,
    aborted: 0n,
    messagesIn: 0n,
    messagesOut: 0n,
    fees: 0n,
    isNew: true,
    newHours: [],
    newDays: [],
  };
  if (counters.position !== position) Object.assign(counters, { isNew: false, newHours: [], newDays: [] });
  if (isLater(utime, lastUtime, HOUR)) counters.newHours.push(Math.floor(utime / HOUR));
  if (isLater(utime, lastUtime, DAY)) counters.newDays.push(Math.floor(utime / DAY));
  counters.position = position;
  counters.lastUtime = utime;
  counters.lastLt = lt;
  counters.transactions += 1n;
  counters.aborted += fact.isAborted ? 1n : 0n;
  counters.messagesIn += BigInt(fact.messagesIn);
  counters.messagesOut += BigInt(fact.messagesOut);
  counters.fees += fees;
  return counters;
}

/** Accounts asked for by one statement: its text stays below the server's `max_query_size`. */
const KEYS = 2_000;

type Row = [string, number, number, number, string, number, string, ...string[]];

/** Counters of accounts (raw addresses) after the masterchain step `upTo`. */
export async function loadCounters(
  { client, database, partition }: RowStart,
  accounts: readonly string[],
  upTo: number,
): Promise<Counters[]> {
  const found: Counters[] = [];
  for (let at = 0; at < accounts.length; at += KEYS) {
    const ids = accountIds(accounts.slice(at, at + KEYS));
    const { rows } = await client.queryRows<Row>(
      `SELECT hex(account), workchain, mc_seqno, first_utime, toString(first_lt), last_utime, toString(last_lt),
         toString(transactions), toString(aborted), toString(messages_in), toString(messages_out), toString(fees)
       FROM ${database}.activity
       WHERE part = {partition:UInt16} AND mc_seqno <= {upTo:UInt32} AND account IN ${ids}
       ORDER BY mc_seqno DESC LIMIT 1 BY workchain, account`,
      { route: 'activity/counters', params: { partition, upTo }, maxRows: 1_000_000 },
    );
    found.push(...rows.map(toCounters));
  }
  return found;
}

function toCounters([
  account,
  workchain,
  position,
  firstUtime,
  firstLt,
  lastUtime,
  lastLt,
  ...sums
]: Row): Counters {
  const [transactions, aborted, messagesIn, messagesOut, fees] = sums.map(BigInt) as [
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  return {
    position,
    workchain,
    account: Buffer.from(account, 'hex'),
    firstUtime,
    firstLt: BigInt(firstLt),
    lastUtime,
    lastLt: BigInt(lastLt),
    transactions,
    aborted,
    messagesIn,
    messagesOut,
    fees,
    ...{ isNew: false, newHours: [], newDays: [] },
  };
}
