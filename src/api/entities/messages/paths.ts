import { hash8, toNumberSet } from '../../query/keys.ts';
import { within } from '../../query/scope.ts';
import { and, identifier, type Sql, sql, u32, u64 } from '../../query/sql.ts';
import { chooseStrategy } from '../../query/strategy.ts';
import type { VisibleRange } from '../../version-vector.ts';
import { bounds, isParty, passes } from './conditions.ts';
import type { MessageFilter } from './filter.ts';
import { hashIndex } from './look-up.ts';

export type MessagePath = 'hash' | 'body' | 'source' | 'destination' | 'opcode' | 'all';

/** Where the keys of a list of messages come from: rows (created_lt, hash8, created_at) in the order of created_lt. */
export interface MessageSource {
  readonly path: MessagePath;
  readonly table: Sql;
  readonly where: Sql;
  /** True if every found row is on the list: no remaining filter needs `messages`. */
  readonly exact: boolean;
}

/** An index, and its key for a filter. */
interface Path {
  readonly name: Exclude<MessagePath, 'hash' | 'all'>;
  readonly table: string;
  fits(filter: MessageFilter): boolean;
  key(filter: MessageFilter): Sql | false | null | undefined;
}

/** The most selective one comes first. */
const INDEXES: readonly Path[] = [
  {
    name: 'body',
    table: 'message_bodies',
    fits: ({ bodyHash }) => bodyHash !== undefined,
    key: ({ bodyHash }) => bodyHash !== undefined && sql`body8 = ${u64(hash8(bodyHash))}`,
  },
  {
    name: 'source',
    table: 'messages_by_source',
    fits: ({ source }) => Boolean(source),
    key: ({ source }) => source && isParty('source', source),
  },
  {
    name: 'destination',
    table: 'messages_by_destination',
    fits: ({ destination }) => Boolean(destination),
    key: ({ destination }) => destination && isParty('destination', destination),
  },
  {
    name: 'opcode',
    table: 'messages_by_opcode',
    fits: ({ opcode }) => opcode !== undefined,
    key: ({ opcode }) => opcode !== undefined && sql`opcode = ${u32(opcode)}`,
  },
];

/** Picks the most selective index that the filters allow. */
export function messageSource(database: string, filter: MessageFilter, visible: VisibleRange): MessageSource {
  const { hashes = [] } = filter;
  const messages = { table: identifier(database, 'messages'), exact: true };
  if (hashes.length > 0) {
    const where = and(passes(filter, visible), hasHash(database, hashes));
    return { path: 'hash', ...messages, where };
  }
  if (!INDEXES.some(({ fits }) => fits(filter)))
    return { path: 'all', ...messages, where: passes(filter, visible) };
  const { name, table, key } = chooseStrategy(INDEXES, filter);
  const where = and(within(visible), key(filter), ...bounds(filter));
  return { path: name, table: identifier(database, table), where, exact: isExact(name, filter) };
}

/** The keys of messages by hash or normalised hash; the latter belong to external-in messages, whose created_lt is 0. */
function hasHash(database: string, hashes: readonly string[]): Sql {
  const keys = toNumberSet(hashes.map(hash8));
  const [plain, normalised] = [hashIndex(database), identifier(database, 'message_norm_hashes')];
  return sql`(created_lt, hash8) IN (SELECT created_lt, hash8 FROM ${plain} WHERE hash8 IN ${keys} UNION ALL SELECT 0, hash8 FROM ${normalised} WHERE norm8 IN ${keys})`;
}

/** A body's index knows 8 bytes of its hash; no index knows the side or the other filters' columns. */
function isExact(path: Path['name'], filter: MessageFilter): boolean {
  const filters = [filter.bodyHash, filter.source, filter.destination, filter.opcode, filter.direction];
  return filters.filter((one) => one !== undefined).length === (path === 'body' ? 0 : 1);
}
