import type { ActionAnswer } from '../../src/api/v3/schemas/action.ts';
import type { TransactionAnswer } from '../../src/api/v3/schemas/transaction.ts';
import type { SeededRandom } from './seeded-random.ts';

/** A filter that an action passes, how it is asked for, and what else it leaves. */
interface Filter {
  readonly query: string;
  readonly holds: (action: ActionAnswer) => boolean;
}

const text = (value: string | number): string => encodeURIComponent(value);
const messagesOf = ({ in_msg, out_msgs }: TransactionAnswer) => [...(in_msg ? [in_msg] : []), ...out_msgs];
const hashesOf = ({ transactions_full = [] }: ActionAnswer): string[] =>
  transactions_full.flatMap(messagesOf).map(({ hash }) => hash);

/** Filters that match the action by one of its fields; list filters also contain a value of the other one. */
function namesOf(one: ActionAnswer, other: ActionAnswer, random: SeededRandom): Filter[] {
  const account = random.pick(one.accounts!);
  const message = random.pick(hashesOf(one));
  const transactions = [random.pick(one.transactions), random.pick(other.transactions)];
  return [
    { query: `account=${text(account)}`, holds: ({ accounts }) => accounts!.includes(account) },
    {
      query: transactions.map((hash) => `tx_hash=${text(hash)}`).join('&'),
      holds: (action) => transactions.some((hash) => action.transactions.includes(hash)),
    },
    { query: `msg_hash=${text(message)}`, holds: (action) => hashesOf(action).includes(message) },
    {
      query: `action_id=${text(one.action_id)},${text(other.action_id)}`,
      holds: ({ action_id: id }) => id === one.action_id || id === other.action_id,
    },
    {
      query: `trace_id=${text(one.trace_id!)},${text(other.trace_id!)}`,
      holds: ({ trace_id: id }) => id === one.trace_id || id === other.trace_id,
    },
    {
      query: `mc_seqno=${one.trace_mc_seqno_end}`,
      holds: ({ trace_mc_seqno_end: seqno }) => seqno === one.trace_mc_seqno_end,
    },
    { query: `action_type=${one.type}`, holds: ({ type }) => type === one.type },
    {
      query: `exclude_action_type=${other.type}`,
      holds: ({ type }) => type !== other.type,
    },
  ];
}

function boundsOf(one: ActionAnswer, other: ActionAnswer): Filter[] {
  const [early, late] = [one, other].toSorted((a, b) =>
    Number(BigInt(a.trace_end_lt) - BigInt(b.trace_end_lt)),
  );
  const [from, to] = [one.trace_end_utime, other.trace_end_utime].toSorted((a, b) => a - b);
  return [
    {
      query: `start_lt=${early!.trace_end_lt}`,
      holds: ({ trace_end_lt: lt }) => BigInt(lt) >= BigInt(early!.trace_end_lt),
    },
    {
      query: `end_lt=${late!.trace_end_lt}`,
      holds: ({ trace_end_lt: lt }) => BigInt(lt) <= BigInt(late!.trace_end_lt),
    },
    { query: `start_utime=${from}`, holds: ({ trace_end_utime: at }) => at >= from! },
    { query: `end_utime=${to}`, holds: ({ trace_end_utime: at }) => at <= to! },
  ];
}

const bytesOf = (hash: string): string => Buffer.from(hash, 'base64').toString('hex');

/** Sort key of lists: lt, or time if the filters have a bound of time. */
function keyOf(action: ActionAnswer, isByTime: boolean): readonly (bigint | string)[] {
  const [trace, end] = isByTime
    ? [action.trace_end_utime, action.end_utime]
    : [action.trace_end_lt, action.end_lt];
  return [BigInt(trace), bytesOf(action.trace_id!), BigInt(end), bytesOf(action.action_id)];
}

function byKey(a: readonly (bigint | string)[], b: readonly (bigint | string)[]): number {
  const at = a.findIndex((part, place) => part !== b[place]);
  if (at === -1) return 0;
  return a[at]! < b[at]! ? -1 : 1;
}

/** Bounds of the lt by which a list ends that was read as a whole. */
export interface ActionWindow {
  readonly start_lt: string;
  readonly end_lt: string;
}

/** A request for actions, and what looking through all of them gives for it. */
export interface ActionRequest {
  readonly query: string;
  readonly chosen: readonly ActionAnswer[];
}

/** All actions of a window, with their accounts and transactions. */
export interface ListedActions {
  readonly all: readonly ActionAnswer[];
  readonly window: ActionWindow;
}

/** The filters together, with a random page; missing bounds are the window's. */
function requestOf(
  { all, window }: ListedActions,
  asked: readonly Filter[],
  random: SeededRandom,
): ActionRequest {
  const isByTime = asked.some(({ query }) => query.includes('utime'));
  const rest = (['start_lt', 'end_lt'] as const)
    .filter((name) => !asked.some(({ query }) => query.startsWith(name)))
    .map((name): Filter => ({ query: `${name}=${window[name]}`, holds: () => true }));
  const filters = [...asked, ...rest];
  const [limit, offset, descending] = [1 + random.below(100), random.below(3), random.oneIn(2)];
  const ordered = all
    .filter((action) => filters.every(({ holds }) => holds(action)))
    .sort((a, b) => byKey(keyOf(a, isByTime), keyOf(b, isByTime)));
  if (descending) ordered.reverse();
  const paging = `limit=${limit}&offset=${offset}&sort=${descending ? 'desc' : 'asc'}`;
  return {
    query: [...filters.map(({ query }) => query), paging].join('&'),
    chosen: ordered.slice(offset, offset + limit),
  };
}

/** A request for actions with filters by chance. */
export function randomActionRequest(listed: ListedActions, random: SeededRandom): ActionRequest {
  const [one, other] = [random.pick(listed.all), random.pick(listed.all)];
  const named = namesOf(one, other, random).filter(() => random.oneIn(3));
  const bounds = boundsOf(one, other).filter(() => random.oneIn(4));
  return requestOf(listed, [...named, ...bounds], random);
}

/** Requests with each single filter, and with each one together with `account`, which the peer cannot combine. */
export function everyActionRequest(listed: ListedActions, random: SeededRandom): ActionRequest[] {
  const [one, other] = [random.pick(listed.all), random.pick(listed.all)];
  const [account, ...others] = [...namesOf(one, other, random), ...boundsOf(one, other)] as [
    Filter,
    ...Filter[],
  ];
  const asked = [[account], ...others.flatMap((filter) => [[filter], [account, filter]])];
  return asked.map((filters) => requestOf(listed, filters, random));
}
