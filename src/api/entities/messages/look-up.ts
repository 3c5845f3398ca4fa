import { toBase64 } from '../../../ton/hash/base64.ts';
import { toHex } from '../../../ton/hash/hex.ts';
import { hash8, toNumbers } from '../../query/keys.ts';
import type { Page } from '../../query/page.ts';
import { isVisible, type ReadScope } from '../../query/scope.ts';
import { MAX_SHARED_KEYS, SharedLookUp } from '../../query/shared-look-up.ts';
import { identifier, type Sql, sql } from '../../query/sql.ts';
import type { MessageFilter } from './filter.ts';
import { type MessageRecord, messageRecord } from './model.ts';
import { MESSAGE_SELECT, type MessageRow, messageRows } from './payload.ts';

/** Whether nothing but a few hashes is asked for. */
export function isHashLookUp({ hashes = [], ...others }: MessageFilter): boolean {
  return (
    hashes.length > 0 &&
    hashes.length <= MAX_SHARED_KEYS &&
    Object.values(others).every((value) => value === undefined)
  );
}

/** By hash of the message or by normalised hash, 64 upper-case hex digits: the sides that are stored. */
type Sides = ReadonlyMap<string, readonly MessageRow[]>;

const BY_HASH = new SharedLookUp<Sides>(async (scope, hashes) =>
  byHash(await readSides(scope, planByHash(scope.databases.base, hashes)), 'hash'),
);
const BY_NORMALISED = new SharedLookUp<Sides>(async (scope, hashes) =>
  byHash(await readSides(scope, planByNormalised(scope.databases.base, hashes)), 'hashNorm'),
);

async function readSides(scope: ReadScope, statement: Sql): Promise<readonly MessageRow[]> {
  const rows = messageRows(await scope.queryBytes(statement));
  return rows.filter(({ mc_seqno: step }) => isVisible(step, scope.visible));
}

function byHash(rows: readonly MessageRow[], name: 'hash' | 'hashNorm'): Sides {
  return Map.groupBy(rows, ({ message }) => toUpperHex(message[name]));
}

function toUpperHex(hash: Uint8Array): string {
  return toHex(hash).toUpperCase();
}

/** Which hash of a message. */
type HashName = 'hash' | 'hashNorm';

/** Finds sides by hash without a statement; null if a statement has to find them. */
export type FindEnds = (
  scope: ReadScope,
  hashes: readonly string[],
  name: HashName,
) => ReadonlyMap<string, readonly { readonly message: MessageRow }[]> | null;

/** Sides from the look-up index, or by a statement. */
async function findSides(
  scope: ReadScope,
  hashes: readonly string[],
  name: HashName,
  findEnds: FindEnds,
): Promise<Sides> {
  if (hashes.length === 0) return new Map();
  const ends = findEnds(scope, hashes, name);
  if (!ends) return (name === 'hash' ? BY_HASH : BY_NORMALISED).find(scope, hashes);
  return new Map([...ends].map(([hash, some]) => [hash, some.map(({ message }) => message)]));
}

/**
 * The messages with these hashes or normalised hashes (64 hex digits): from the look-up index, or by one statement and a
 * second one for hashes that may be normalised: no message has them, or one in its own normal form.
 */
export async function lookUpMessages(
  scope: ReadScope,
  hashes: readonly string[],
  page: Page,
  findEnds: FindEnds = () => null,
): Promise<readonly MessageRecord[]> {
  const keys = [...new Set(hashes.map((hash) => hash.toUpperCase()))];
  const plain = await findSides(scope, keys, 'hash', findEnds);
  const open = keys.filter((key) => plain.get(key)?.every(isNormalForm) ?? true);
  const normalised = await findSides(scope, open, 'hashNorm', findEnds);
  const sides = new Map<string, readonly MessageRow[]>();
  for (const key of keys)
    for (const found of [plain.get(key), normalised.get(key)])
      for (const [hash, rows] of Map.groupBy(found ?? [], ({ message }) => toUpperHex(message.hash)))
        sides.set(hash, rows);
  const ordered = [...sides.values()].sort((a, b) => compare(a[0], b[0]) * (page.descending ? -1 : 1));
  return ordered.slice(page.offset, page.offset + page.limit).map(messageRecord);
}

/**
 * True if other messages may have its hash as their normalised one: an external-in message that normalising does not
 * change.
 */
function isNormalForm({ message: { kind, hash, hashNorm } }: MessageRow): boolean {
  return kind === 'ext_in' && toUpperHex(hash) === toUpperHex(hashNorm);
}

/** The order of v3-endpoints.md 2.10: messages without creation lt last, ties by the text of the hash. */
function compare(a: MessageRow | undefined, b: MessageRow | undefined): number {
  if (!a || !b) return 0;
  const [x, y] = [a.message.createdLt, b.message.createdLt];
  if (x === y) return toBase64(a.message.hash) < toBase64(b.message.hash) ? -1 : 1;
  if (x === 0n || y === 0n) return x === 0n ? 1 : -1;
  return x < y ? -1 : 1;
}

/** The table of logical times by the first 8 bytes of a hash. */
export function hashIndex(database: string): Sql {
  return identifier(database, 'message_hashes');
}

/**
 * Rows of `messages` by hash, visible or not: their creation lt, the table's order, comes from the index of hashes.
 * Each row has its step, so no condition reads it for all rows around.
 */
export function planByHash(database: string, hashes: readonly string[]): Sql {
  const keys = toNumbers(hashes.map(hash8));
  const index = sql`${hashIndex(database)} PREWHERE hash8 IN ${keys}`;
  return messagesWhere(database, sql`created_lt IN (SELECT created_lt FROM ${index}) AND hash8 IN ${keys}`);
}

/** As `planByHash`, by normalised hash: only external-in messages have one of their own, and they have no creation lt. */
export function planByNormalised(database: string, hashes: readonly string[]): Sql {
  const index = sql`${identifier(database, 'message_norm_hashes')} PREWHERE norm8 IN ${toNumbers(hashes.map(hash8))}`;
  return messagesWhere(database, sql`created_lt = 0 AND hash8 IN (SELECT hash8 FROM ${index})`);
}

function messagesWhere(database: string, conditions: Sql): Sql {
  return sql`SELECT ${MESSAGE_SELECT} FROM ${identifier(database, 'messages')} PREWHERE ${conditions}`;
}
