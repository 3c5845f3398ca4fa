import type { TraceAnswer } from '../../src/api/v3/schemas/trace.ts';
import type { TransactionAnswer } from '../../src/api/v3/schemas/transaction.ts';
import type { SeededRandom } from './seeded-random.ts';

/** A filter, how it is asked for, and which of the traces it leaves. */
interface Filter {
  readonly query: string;
  readonly holds: (trace: TraceAnswer) => boolean;
}

const partsOf = ({ transactions = {} }: TraceAnswer) => Object.values(transactions);
/** lt and time of the end, which traces that are served have. */
const endOf = ({ end_lt }: TraceAnswer): bigint => BigInt(end_lt!);
const timeOf = ({ end_utime }: TraceAnswer): number => end_utime!;
const messagesOf = ({ in_msg, out_msgs }: TransactionAnswer) => [...(in_msg ? [in_msg] : []), ...out_msgs];

/** Filters that name the trace or an account of it: a request has one of them at most. */
function namesOf(one: TraceAnswer, other: TraceAnswer, random: SeededRandom): [Filter, ...Filter[]] {
  const part = random.pick(partsOf(one));
  const hash = random.pick(
    messagesOf(part)
      .map((message) => message.hash)
      .concat(part.hash),
  );
  return [
    {
      query: `account=${part.account}`,
      holds: (trace) => partsOf(trace).some(({ account }) => account === part.account),
    },
    { query: `trace_id=${encodeURIComponent(one.trace_id!)}`, holds: (trace) => trace === one },
    {
      query: `tx_hash=${[part.hash, random.pick(partsOf(other)).hash].map(encodeURIComponent).join(',')}`,
      holds: (trace) => trace === one || trace === other,
    },
    {
      query: `msg_hash=${encodeURIComponent(hash)}`,
      holds: (trace) =>
        partsOf(trace).some((sent) => messagesOf(sent).some((message) => message.hash === hash)),
    },
  ];
}

/** Bounds that the trace passes. */
function boundsOf(one: TraceAnswer, other: TraceAnswer): Filter[] {
  const [end, seqno] = [endOf(one), one.mc_seqno_end];
  const spread = end > endOf(other) ? end - endOf(other) : endOf(other) - end;
  const [low, high] = [spread > end ? 0n : end - spread, end + spread];
  const seconds = Math.abs(timeOf(one) - timeOf(other));
  const [from, to] = [timeOf(one) - seconds, timeOf(one) + seconds];
  return [
    {
      query: `mc_seqno=${seqno}`,
      holds: (trace) => trace.mc_seqno_end === seqno && trace.trace_info.trace_state === 'complete',
    },
    { query: `start_lt=${low}`, holds: (trace) => endOf(trace) >= low },
    { query: `end_lt=${high}`, holds: (trace) => endOf(trace) <= high },
    { query: `start_utime=${from}`, holds: (trace) => timeOf(trace) >= from },
    { query: `end_utime=${to}`, holds: (trace) => timeOf(trace) <= to },
  ];
}

/** A request for traces, and what looking through all of them gives for it. */
export interface TraceRequest {
  readonly query: string;
  readonly chosen: readonly TraceAnswer[];
}

/** The filters together, with a page by chance. */
function requestOf(
  all: readonly TraceAnswer[],
  filters: readonly Filter[],
  random: SeededRandom,
): TraceRequest {
  const isByTime = filters.some(({ query }) => query.includes('utime'));
  const [limit, offset, descending] = [1 + random.below(200), random.below(3), random.oneIn(2)];
  const key = (trace: TraceAnswer) => (isByTime ? BigInt(timeOf(trace)) : endOf(trace));
  const idOf = (trace: TraceAnswer) => Buffer.from(trace.trace_id!, 'base64').toString('hex');
  const ordered = all
    .filter((trace) => filters.every(({ holds }) => holds(trace)))
    .sort((a, b) => Number(key(a) - key(b)) || (idOf(a) < idOf(b) ? -1 : 1));
  if (descending) ordered.reverse();
  const paging = `limit=${limit}&offset=${offset}&sort=${descending ? 'desc' : 'asc'}`;
  return {
    query: [...filters.map(({ query }) => query), paging].join('&'),
    chosen: ordered.slice(offset, offset + limit),
  };
}

/** A request for traces with filters by chance. */
export function randomTraceRequest(all: readonly TraceAnswer[], random: SeededRandom): TraceRequest {
  const [one, other] = [random.pick(all), random.pick(all)];
  const names = namesOf(one, other, random);
  const few = boundsOf(one, other).filter(() => random.oneIn(3));
  // Half of the requests name an account, which the peer cannot combine.
  const filters = random.oneIn(4) ? few : [random.oneIn(2) ? names[0] : random.pick(names), ...few];
  return requestOf(all, filters, random);
}

/** Requests with each single filter, and with each one that can be combined with `account`. */
export function everyTraceRequest(all: readonly TraceAnswer[], random: SeededRandom): TraceRequest[] {
  const [one, other] = [random.pick(all), random.pick(all)];
  const [names, bounds] = [namesOf(one, other, random), boundsOf(one, other)];
  const alone = [...names, ...bounds].map((filter) => [filter]);
  const together = bounds.map((filter) => [names[0], filter]);
  return [...alone, ...together].map((filters) => requestOf(all, filters, random));
}
