import type { MessageAnswer } from '../../src/api/v3/schemas/message.ts';
import type { TransactionAnswer } from '../../src/api/v3/schemas/transaction.ts';
import type { ApiParameters } from '../helpers/api-of-store.ts';
import type { SeededRandom } from '../helpers/seeded-random.ts';

export interface Known {
  readonly message: MessageAnswer;
  readonly body: string;
  in?: TransactionAnswer;
  out?: TransactionAnswer;
}

export interface Wanted extends ApiParameters {
  readonly msg_hash?: readonly string[];
  readonly body_hash?: string;
  readonly source?: string;
  readonly destination?: string;
  readonly opcode?: string;
  readonly direction?: 'in' | 'out';
  readonly exclude_externals?: boolean;
  readonly only_externals?: boolean;
  readonly start_utime?: number;
  readonly end_utime?: number;
  readonly start_lt?: string;
  readonly end_lt?: string;
  readonly sort?: 'asc' | 'desc';
}

const nullable = (text: string | undefined) => (text === 'null' ? null : text);

export function matches(known: Known, wanted: Wanted): boolean {
  const { message } = known;
  const lt = message.created_lt === null ? null : BigInt(message.created_lt);
  const at = message.created_at === null ? null : Number(message.created_at);
  const tests = [
    !wanted.msg_hash ||
      wanted.msg_hash.includes(message.hash) ||
      (message.hash_norm !== undefined && wanted.msg_hash.includes(message.hash_norm)),
    wanted.body_hash === undefined || known.body === wanted.body_hash,
    wanted.source === undefined || message.source === nullable(wanted.source),
    wanted.destination === undefined || message.destination === nullable(wanted.destination),
    wanted.opcode === undefined || message.opcode === wanted.opcode,
    wanted.direction === undefined || known[wanted.direction] !== undefined,
    !wanted.exclude_externals || lt !== null,
    !wanted.only_externals || lt === null,
    wanted.start_lt === undefined || (lt !== null && lt >= BigInt(wanted.start_lt)),
    wanted.end_lt === undefined || (lt !== null && lt <= BigInt(wanted.end_lt)),
    wanted.start_utime === undefined || (at !== null && at >= wanted.start_utime),
    wanted.end_utime === undefined || (at !== null && at <= wanted.end_utime),
  ];
  return tests.every(Boolean);
}

/** Ascending; messages without lt or time come last (and so first in a descending list). */
function compare(a: Known, b: Known, byTime: boolean): number {
  const key = ({ message }: Known) => (byTime ? message.created_at : message.created_lt);
  const [x, y] = [key(a), key(b)];
  if (x !== y) {
    if (x === null) return 1;
    if (y === null) return -1;
    return BigInt(x) < BigInt(y) ? -1 : 1;
  }
  // By the bytes of the base64 text, as the C collation has it.
  return a.message.hash < b.message.hash ? -1 : 1;
}

export function expected(all: readonly Known[], wanted: Wanted): string[] {
  const byTime = wanted.start_utime !== undefined || wanted.end_utime !== undefined;
  const dir = wanted.sort === 'asc' ? 1 : -1;
  return all
    .filter((known) => matches(known, wanted))
    .sort((a, b) => dir * compare(a, b, byTime))
    .map(({ message }) => message.hash);
}

export function messagesOf(transactions: readonly TransactionAnswer[]): Known[] {
  const found = new Map<string, Known>();
  for (const tx of transactions) {
    const sides = [
      ...(tx.in_msg ? [['in', tx.in_msg] as const] : []),
      ...tx.out_msgs.map((m) => ['out', m] as const),
    ];
    for (const [side, message] of sides) {
      const known = found.get(message.hash) ?? { message, body: message.message_content?.hash ?? '' };
      known[side] = tx;
      found.set(message.hash, known);
    }
  }
  return [...found.values()];
}

export function chosen(random: SeededRandom, all: readonly Known[]): Wanted {
  const one = () => random.pick(all).message;
  const dated = () => random.pick(all.filter(({ message }) => message.created_lt !== null)).message;
  const wanted: Record<string, unknown> = {};
  if (random.oneIn(2)) wanted.sort = random.pick(['asc', 'desc']);
  if (random.oneIn(10)) wanted.msg_hash = [one().hash, one().hash];
  if (random.oneIn(8)) wanted.body_hash = random.pick(all).body;
  if (random.oneIn(4)) wanted.source = one().source ?? 'null';
  if (random.oneIn(4)) wanted.destination = one().destination ?? 'null';
  if (random.oneIn(5)) wanted.opcode = one().opcode ?? undefined;
  if (random.oneIn(5)) wanted.direction = random.pick(['in', 'out']);
  if (random.oneIn(4)) wanted[random.pick(['exclude_externals', 'only_externals'])] = true;
  if (random.oneIn(8)) wanted.start_lt = dated().created_lt;
  if (random.oneIn(8)) wanted.end_lt = dated().created_lt;
  if (random.oneIn(6)) wanted.start_utime = Number(dated().created_at);
  if (random.oneIn(6)) wanted.end_utime = Number(dated().created_at);
  return wanted as Wanted;
}
