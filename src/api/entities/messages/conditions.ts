import type { AccountId } from '../../query/account-id.ts';
import { toHashSet } from '../../query/keys.ts';
import { within } from '../../query/scope.ts';
import { and, i32, type Sql, sql, text, u32, u64 } from '../../query/sql.ts';
import type { VisibleRange } from '../../version-vector.ts';
import type { MessageFilter } from './filter.ts';

/** Every filter as a condition on rows of `messages`: right on any path. */
export function passes(filter: MessageFilter, visible: VisibleRange): Sql {
  const { hashes = [], bodyHash, opcode, direction, source, destination, externals } = filter;
  return and(
    within(visible),
    hashes.length > 0 && sql`(hash IN ${toHashSet(hashes)} OR hash_norm IN ${toHashSet(hashes)})`,
    bodyHash !== undefined && sql`body_hash = unhex(${text(bodyHash)})`,
    opcode !== undefined && sql`opcode = ${u32(opcode)}`,
    direction && sql`side = ${text(direction)}`,
    source === null && sql`kind = 'ext_in'`,
    source && isParty('source', source),
    destination === null && sql`kind = 'ext_out'`,
    destination && isParty('destination', destination),
    externals === 'only' && sql`created_lt = 0`,
    externals === 'exclude' && sql`created_lt > 0`,
    ...bounds(filter),
  );
}

const SIDES = {
  source: [sql`source`, sql`source_workchain`, sql`source_kind`],
  destination: [sql`destination`, sql`destination_workchain`, sql`destination_kind`],
} as const;

/** The key prefix of the index tables by party, and a condition on `messages` as well. */
export function isParty(side: 'source' | 'destination', { hash, workchain }: AccountId): Sql {
  const [id, chain, kind] = SIDES[side];
  return sql`${id} = unhex(${text(hash)}) AND ${chain} = ${i32(workchain)} AND ${kind} = 'std'`;
}

/** Bounds of creation lt and time: on `messages` and on its indexes. */
export function bounds({ startUtime, endUtime, startLt, endLt }: MessageFilter): (Sql | false)[] {
  return [
    startUtime !== undefined && sql`created_at >= ${u32(startUtime)}`,
    endUtime !== undefined && sql`created_at <= ${u32(endUtime)}`,
    startLt !== undefined && sql`created_lt >= ${u64(startLt)}`,
    endLt !== undefined && sql`created_lt <= ${u64(endLt)}`,
  ];
}
