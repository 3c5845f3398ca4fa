import { KEYS_PER_PARAMETER } from '../../query/keys.ts';
import { I32, ID, keyset, U64 } from '../../query/keyset.ts';
import type { Page } from '../../query/page.ts';
import type { ReadScope } from '../../query/scope.ts';
import type { MessageFilter } from '../messages/filter.ts';
import type { MessageKey } from '../messages/key.ts';
import { readMessageKeys } from '../messages/keys.ts';
import { messageMatches } from '../messages/matches.ts';
import type { TransactionRow } from './model.ts';
import { planByMessageKeys } from './plan-by-message.ts';
import { readTransactionStatement } from './rows.ts';

/*
 * The index of messages is ordered by their creation, and a message may take long: transactions by lt are in no bounded
 * stretch of it. A scan follows the index. A transaction of several messages is at the last one that it sent, else at
 * the one that it received. The row itself decides, so no page needs the others' results.
 */

/** The place of a transaction in a scan by messages: its message's, then its own. */
export interface MessageEndPlace extends MessageKey {
  readonly lt: string;
  readonly workchain: number;
  /** 64 upper-case hex digits. */
  readonly account: string;
}

const PLACE = { createdLt: U64, hash8: U64, lt: U64, workchain: I32, account: ID } as const;

/** Places of lists of transactions only by message, in the order of the messages. */
export const MESSAGE_ENDS = {
  '/transactions': keyset<MessageEndPlace>({ list: 'te', isResumable: false }, PLACE),
  '/transactionsByMessage': keyset<MessageEndPlace>({ list: 'tb', isResumable: false }, PLACE),
} as const;

/** A transaction and its place. */
export interface FoundByMessage {
  readonly row: TransactionRow;
  readonly place: MessageEndPlace;
}

/** Messages beyond the rows that are wanted: several may lead to one transaction. */
const OVERFETCH = 64;

/**
 * A page of the transactions at the ends of messages, after a position. Two statements; more if other filters leave too
 * few.
 */
export async function scanTransactionsByMessage(
  scope: ReadScope,
  filter: MessageFilter,
  { limit, descending }: Page,
  after: MessageEndPlace | null,
): Promise<readonly FoundByMessage[]> {
  const order = buildOrder(descending);
  const page = { limit: Math.min(limit + OVERFETCH, KEYS_PER_PARAMETER), offset: 0, descending };
  const found: FoundByMessage[] = [];
  let [from, isFromIncluded]: [MessageKey | null, boolean] = [after, true];
  for (let isLast = false; !isLast && found.length < limit; isFromIncluded = false) {
    const scan = { after: from, descending, isAfterIncluded: isFromIncluded };
    const keys = await readMessageKeys(scope, { ...filter, scan }, page);
    const own = (await readEnds(scope, filter, keys)).filter(
      ({ place }) => !after || order(after, place) < 0,
    );
    found.push(...own);
    isLast = keys.length < page.limit;
    from = keys.at(-1) ?? null;
  }
  return found.sort((a, b) => order(a.place, b.place)).slice(0, limit);
}

/** The transactions whose places are at some messages. */
async function readEnds(
  scope: ReadScope,
  filter: MessageFilter,
  keys: readonly MessageKey[],
): Promise<FoundByMessage[]> {
  if (keys.length === 0) return [];
  const statement = planByMessageKeys(scope.databases.base, filter, keys, scope.visible);
  const rows = await readTransactionStatement(scope, statement);
  const names = new Set(keys.map(toName));
  return rows.flatMap((row) => {
    const place = getPlace(row, filter);
    return place && names.has(toName(place)) ? [{ row, place }] : [];
  });
}

function toName({ createdLt, hash8 }: MessageKey): string {
  return `${createdLt} ${hash8}`;
}

/** null: none of its messages passes. */
export function getPlace(
  { messages, lt, workchain, account }: Pick<TransactionRow, 'messages' | 'lt' | 'workchain' | 'account'>,
  filter: MessageFilter,
): MessageEndPlace | null {
  const [first, ...others] = messages
    .filter((message) => messageMatches(filter, message))
    .map(({ createdLt, hash, direction }) => ({
      isSent: direction === 'out',
      key: { createdLt: `${createdLt}`, hash8: `${Buffer.from(hash).readBigUInt64BE(0)}` },
    }));
  if (!first) return null;
  const { key } = others.reduce((best, one) => {
    if (best.isSent !== one.isSent) return best.isSent ? best : one;
    return compareKeys(best.key, one.key) < 0 ? one : best;
  }, first);
  return { ...key, lt, workchain, account };
}

function buildOrder(descending: boolean) {
  const sign = descending ? -1 : 1;
  return (a: MessageEndPlace, b: MessageEndPlace): number =>
    sign *
    (compareKeys(a, b) ||
      compare(BigInt(a.lt), BigInt(b.lt)) ||
      a.workchain - b.workchain ||
      compare(a.account, b.account));
}

function compareKeys(a: MessageKey, b: MessageKey): number {
  return compare(BigInt(a.createdLt), BigInt(b.createdLt)) || compare(BigInt(a.hash8), BigInt(b.hash8));
}

function compare<T extends bigint | string>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
