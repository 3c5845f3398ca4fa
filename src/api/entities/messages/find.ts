import { toHex } from '../../../ton/hash/hex.ts';
import { mapInChunks } from '../../http/fairness/map-in-chunks.ts';
import { parts } from '../../query/keys.ts';
import type { Page } from '../../query/page.ts';
import type { ReadScope } from '../../query/scope.ts';
import { and, identifier, type Sql, sql } from '../../query/sql.ts';
import { passes } from './conditions.ts';
import type { MessageFilter } from './filter.ts';
import { type MessageKey, toKeySet } from './key.ts';
import { readMessageKeys } from './keys.ts';
import { type FindEnds, isHashLookUp, lookUpMessages } from './look-up.ts';
import { type MessageRecord, messageRecord } from './model.ts';
import { messageSource } from './paths.ts';
import { MESSAGE_SELECT, type MessageRow, messageRows } from './payload.ts';

/** Factor of the next read where filters left too few of the keys. */
const MORE = 8;

/**
 * Messages of a filter in the order of v3-endpoints.md 2.10, one record a message. Two queries: keys from the matching
 * index, then rows; more only if the index lacks a filter and its first keys held too few messages.
 */
export async function readMessages(
  scope: ReadScope,
  filter: MessageFilter,
  page: Page,
  findEnds?: FindEnds,
): Promise<readonly MessageRecord[]> {
  if (isHashLookUp(filter)) return lookUpMessages(scope, filter.hashes ?? [], page, findEnds);
  const exact = messageSource(scope.databases.base, filter, scope.visible).exact;
  if (exact) {
    return records(scope, filter, await readMessageKeys(scope, filter, page));
  }
  const wanted = page.limit + page.offset;
  const found: MessageRecord[] = [];
  for (let at = 0, count = wanted * 2 + 100; found.length < wanted; at += count, count *= MORE) {
    const keys = await readMessageKeys(scope, filter, { ...page, offset: at, limit: count });
    found.push(...(await records(scope, filter, keys)));
    if (keys.length < count) break;
  }
  return found.slice(page.offset, wanted);
}

/** The messages of keys, in the order of the keys; those that the other filters refuse are left out. */
async function records(
  scope: ReadScope,
  filter: MessageFilter,
  keys: readonly MessageKey[],
): Promise<MessageRecord[]> {
  const sides = new Map<string, MessageRow[]>();
  for (const part of keys.length === 0 ? [] : parts(keys)) {
    const rows = messageRows(await scope.queryBytes(planMessages(scope, filter, part)));
    for (const row of rows) addSide(sides, row);
  }
  const order = new Map(keys.map((key, index) => [`${key.createdLt} ${key.hash8}`, index]));
  const place = ([row]: readonly MessageRow[]) => order.get(keyText(row as MessageRow)) ?? 0;
  return mapInChunks(
    [...sides.values()].sort((a, b) => place(a) - place(b)),
    messageRecord,
  );
}

function planMessages(scope: ReadScope, filter: MessageFilter, keys: readonly MessageKey[]): Sql {
  const own = and(passes(filter, scope.visible), sql`(created_lt, hash8) IN ${toKeySet(keys)}`);
  return sql`SELECT ${MESSAGE_SELECT} FROM ${identifier(scope.databases.base, 'messages')} WHERE ${own}`;
}

function addSide(sides: Map<string, MessageRow[]>, row: MessageRow): void {
  const hash = toHex(row.message.hash);
  const known = sides.get(hash);
  if (known) known.push(row);
  else sides.set(hash, [row]);
}

/** The first 8 bytes of the message's hash, as the key has them. */
function keyText({ message: { hash, createdLt } }: MessageRow): string {
  const view = new DataView(hash.buffer, hash.byteOffset, hash.length);
  return `${createdLt} ${view.getBigUint64(0)}`;
}
