import type { PackedMessage } from '../../ton/columns/message-pack.ts';
import { parts } from './key-lists.ts';
import { messageConditions } from './message-conditions.ts';
import { isOrderedByTime, type MessageFilter } from './message-filter.ts';
import { keyArray, keySet, type MessageKey, messageKey } from './message-key.ts';
import { messageSource } from './message-paths.ts';
import { MESSAGE_SELECT, type MessageRow, messageRow, packedMessage } from './message-row.ts';
import type { Page } from './page.ts';
import { planMessageKeys } from './plan-message-keys.ts';
import { planTimeWindow, type TimeWindow, timeWindow } from './plan-time-window.ts';
import type { ReadScope } from './read-scope.ts';
import type { Statement } from './statement.ts';

/** A message and the transactions at its ends, as far as they are visible and asked for. */
export interface MessageRecord {
  readonly message: PackedMessage;
  /** Hash (base64) of the transaction that received it. */
  readonly receivedBy?: string;
  /** Hash (base64) of the transaction that sent it. */
  readonly sentBy?: string;
}

/** Where filters leave too few of the keys read, so many times more are read next. */
const MORE = 8;

/**
 * Messages of a filter in the order of v3-endpoints.md 2.10, one record a message. Two queries: keys from the index
 * that fits, then rows; more only where the index cannot tell all filters and its first keys held too few messages.
 */
export async function readMessages(
  scope: ReadScope,
  filter: MessageFilter,
  page: Page,
): Promise<readonly MessageRecord[]> {
  const exact = messageSource(scope.database, filter, scope.visible).exact;
  if (exact) {
    return records(scope, filter, await readKeys(scope, filter, page));
  }
  const wanted = page.limit + page.offset;
  const found: MessageRecord[] = [];
  for (let at = 0, count = wanted * 2 + 100; found.length < wanted; at += count, count *= MORE) {
    const keys = await readKeys(scope, filter, { ...page, offset: at, limit: count });
    found.push(...(await records(scope, filter, keys)));
    if (keys.length < count) break;
  }
  return found.slice(page.offset, wanted);
}

/** Keys of a page. Lists by time that no account narrows are searched in growing stretches of time. */
async function readKeys(scope: ReadScope, filter: MessageFilter, page: Page): Promise<readonly MessageKey[]> {
  const { path } = messageSource(scope.database, filter, scope.visible);
  // Unrelated blocks tell nothing of when and where the senders of their messages were.
  const related = !scope.context.network.isolated;
  const windowed =
    related && isOrderedByTime(filter) && (path === 'all' || path === 'opcode' || path === 'body');
  const read = async (window: TimeWindow | null) => {
    const source = messageSource(scope.database, filter, scope.visible);
    return (await scope.query(planMessageKeys(source, filter, page, window))).map(messageKey);
  };
  if (!windowed) return read(null);
  const blocks = bounds(filter);
  const first = (page.limit + page.offset) * 2 + 100;
  for (const need of [first, first * MORE * MORE]) {
    const found = await scope.query(planTimeWindow(scope.database, blocks, page, need, scope.visible));
    const window = timeWindow(found[0]);
    if (!window || window.transactions < need) break;
    const keys = await read(window);
    if (keys.length === page.limit) return keys;
  }
  return read(null);
}

function bounds({ startUtime, endUtime }: MessageFilter): { startUtime?: number; endUtime?: number } {
  return {
    ...(startUtime === undefined ? {} : { startUtime }),
    ...(endUtime === undefined ? {} : { endUtime }),
  };
}

/** The messages of keys, in the order of the keys; those that the other filters refuse are left out. */
async function records(
  scope: ReadScope,
  filter: MessageFilter,
  keys: readonly MessageKey[],
): Promise<MessageRecord[]> {
  const sides = new Map<string, MessageRow[]>();
  for (const part of keys.length === 0 ? [] : parts(keys)) {
    for (const row of await scope.query(planMessages(scope, filter, part))) addSide(sides, messageRow(row));
  }
  const order = new Map(keys.map((key, index) => [`${key.createdLt} ${key.hash8}`, index]));
  const place = ([row]: readonly MessageRow[]) => order.get(keyText(row as MessageRow)) ?? 0;
  return [...sides.values()].sort((a, b) => place(a) - place(b)).map(record);
}

function planMessages(scope: ReadScope, filter: MessageFilter, keys: readonly MessageKey[]): Statement {
  const conditions = messageConditions(filter, scope.visible).add(
    `(created_lt, hash8) IN ${keySet('keys')}`,
    { keys: keyArray(keys) },
  );
  return conditions.statement(
    `SELECT ${MESSAGE_SELECT} FROM ${scope.database}.messages WHERE ${conditions.text}`,
  );
}

function addSide(sides: Map<string, MessageRow[]>, row: MessageRow): void {
  const known = sides.get(row.hash);
  if (known) known.push(row);
  else sides.set(row.hash, [row]);
}

/** The first 8 bytes of the row's hash, as the key has them. */
function keyText(row: MessageRow): string {
  const bytes = Buffer.from(row.hash, 'base64');
  return `${row.created_lt} ${bytes.readBigUInt64BE(0)}`;
}

/** The sender's side tells the message; the receiver's where the sender is not visible. */
function record(rows: readonly MessageRow[]): MessageRecord {
  const sent = rows.find((row) => row.side === 'out');
  const received = rows.find((row) => row.side === 'in');
  return {
    message: packedMessage((sent ?? received) as MessageRow),
    ...(received ? { receivedBy: received.tx_hash } : {}),
    ...(sent ? { sentBy: sent.tx_hash } : {}),
  };
}
