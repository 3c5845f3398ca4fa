import type { PackedMessage } from '../../../ton/columns/message-pack.ts';
import { toHex } from '../../../ton/hash/hex.ts';
import type { Page } from '../../query/page.ts';
import type { ReadScope } from '../../query/scope.ts';
import { MAX_SHARED_KEYS } from '../../query/shared-look-up.ts';
import type { MessageFilter } from '../messages/filter.ts';
import { findEnds } from './message-ends.ts';
import type { TransactionRow } from './model.ts';
import { compareByLt } from './order.ts';
import {
  type MessageEnd,
  planByMessageEnds,
  planByMessageHash,
  planByMessageIndex,
} from './plan-by-message.ts';
import { readTransactionStatement } from './rows.ts';

/** Messages beyond those wanted, for transactions that do not follow in the order of their messages. */
const OVERFETCH = 200;
/** Factor of the next read if the first messages held too few transactions. */
const MORE = 8;

/**
 * Transactions at the ends of messages (v3-endpoints.md 2.7), by lt. By message hash from the look-up index or one
 * query. By body hash or opcode two in parallel; more only if the other filters left too few.
 */
export async function readTransactionsByMessage(
  scope: ReadScope,
  filter: MessageFilter,
  page: Page,
): Promise<readonly TransactionRow[]> {
  if (filter.hashes && filter.hashes.length > 0) {
    const indexed = findByMessageHash(scope, filter);
    if (indexed) return toPage(indexed, page);
    return readTransactionStatement(
      scope,
      planByMessageHash(scope.databases.base, filter, page, scope.visible),
    );
  }
  for (let candidates = (page.limit + page.offset) * 2 + OVERFETCH; ; candidates *= MORE) {
    const bounds = { visible: scope.visible, candidates };
    const plan = planByMessageIndex(scope.databases.base, filter, page, bounds);
    const [rows, [count]] = await Promise.all([
      readTransactionStatement(scope, plan.transactions),
      scope.query(plan.count),
    ]);
    const all = ((count?.[0] as number | undefined) ?? 0) < candidates;
    if (all || rows.length === page.limit) return rows;
  }
}

/** Transactions at the ends of a few messages from the look-up index; null if a statement has to find them. */
export function findByMessageHash(scope: ReadScope, filter: MessageFilter): readonly TransactionRow[] | null {
  const { hashes = [], direction, ...others } = filter;
  const isPlain = Object.values(others).every((value) => value === undefined);
  if (!isPlain || hashes.length > MAX_SHARED_KEYS) return null;
  const keys = [...new Set(hashes.map((hash) => hash.toUpperCase()))];
  const [plain, normalised] = [findEnds(scope, keys, 'hash'), findEnds(scope, keys, 'hashNorm')];
  if (!plain || !normalised) return null;
  const found = new Map<string, TransactionRow>();
  for (const { transaction, message } of [...plain.values(), ...normalised.values()].flat())
    if (!direction || message.message.direction === direction) found.set(transaction.hash, transaction);
  return [...found.values()];
}

function toPage(
  rows: readonly TransactionRow[],
  { descending, offset, limit }: Page,
): readonly TransactionRow[] {
  return rows.toSorted((a, b) => compareByLt(a, b, descending)).slice(offset, offset + limit);
}

/** Neighbours of a transaction: who sent its incoming message, who received its outgoing ones. */
export type Neighbours = 'in' | 'out' | 'both';

/** Parents and children of a transaction, oldest first. No query if the look-up index has them, else one. */
export async function readAdjacent(
  scope: ReadScope,
  row: TransactionRow,
  wanted: Neighbours,
): Promise<readonly TransactionRow[]> {
  const messages = row.messages
    .filter((message) => wanted === 'both' || message.direction === wanted)
    .filter((message) => message.kind === 'internal');
  if (messages.length === 0) return [];
  const indexed = findAdjacent(scope, messages);
  if (indexed) return indexed;
  const statement = planByMessageEnds(scope.databases.base, messages.map(otherEnd), scope.visible);
  return readTransactionStatement(scope, statement);
}

/** Transactions at the other ends of a few messages from the look-up index; null if a statement has to find them. */
function findAdjacent(
  scope: ReadScope,
  messages: readonly PackedMessage[],
): readonly TransactionRow[] | null {
  if (messages.length > MAX_SHARED_KEYS) return null;
  const sides = new Map(messages.map(({ hash, direction }) => [toHex(hash).toUpperCase(), direction]));
  const ends = findEnds(scope, [...sides.keys()], 'hash');
  if (!ends) return null;
  const found = new Map<string, TransactionRow>();
  for (const [hash, both] of ends)
    for (const { transaction, message } of both)
      if (message.message.direction !== sides.get(hash)) found.set(transaction.hash, transaction);
  return [...found.values()].sort((a, b) => compareByLt(a, b));
}

function otherEnd(message: PackedMessage): MessageEnd {
  const view = new DataView(message.hash.buffer, message.hash.byteOffset, 8);
  return {
    createdLt: `${message.createdLt}`,
    hash8: `${view.getBigUint64(0)}`,
    side: message.direction === 'in' ? 'out' : 'in',
  };
}
