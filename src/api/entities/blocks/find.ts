import { hash8, toNumberSet } from '../../query/keys.ts';
import { type Page, toLimit } from '../../query/page.ts';
import { type ReadScope, within } from '../../query/scope.ts';
import { and, i32, identifier, type Sql, sql, text, u32, u64 } from '../../query/sql.ts';
import { chooseStrategy } from '../../query/strategy.ts';
import type { VisibleRange } from '../../version-vector.ts';
import { BLOCKS, type BlockFilter, isImpossible, type PartialBlockId } from './filter.ts';
import { KEY, selectKeys } from './keys.ts';
import { BLOCK_SELECT, type BlockRow, blockRow } from './model.ts';

/** A list of blocks in one database. */
interface BlockList {
  readonly database: string;
  readonly filter: BlockFilter;
  readonly page: Page;
  readonly visible: VisibleRange;
}

/** By generation time, ties by (workchain, shard, seqno), in the same direction. */
const ORDER = BLOCKS.order(
  ['gen_utime', 'page'],
  ['workchain', 'page'],
  ['shard', 'page'],
  ['seqno', 'page'],
);

/** Ways to find blocks: an index gives their keys, or the key of the table is known. */
const STRATEGIES = [
  {
    name: 'hash',
    fits: ({ filter }: BlockList) => filter.rootHash !== undefined || filter.fileHash !== undefined,
    plan: (list: BlockList) => {
      const hashes = [list.filter.rootHash, list.filter.fileHash].filter((hash) => hash !== undefined);
      const keys = selectKeys(list.database, 'hash', sql`hash8 IN ${toNumberSet(hashes.map(hash8))}`);
      return select(list, sql`(${KEY}) IN (${keys})`);
    },
  },
  {
    name: 'masterchain-seqno',
    fits: ({ filter }: BlockList) => filter.mcSeqno !== undefined,
    plan: (list: BlockList) => select(list, null),
  },
  {
    name: 'id',
    fits: ({ filter }: BlockList) => filter.seqno !== undefined,
    plan: (list: BlockList) => {
      const keys = selectKeys(list.database, 'id', idIs(list.filter));
      return select(list, sql`(${KEY}) IN (${keys})`);
    },
  },
  {
    name: 'time',
    fits: () => true,
    plan: ({ database, filter, page, visible }: BlockList) => {
      const by = ORDER.by(page.descending);
      const ordered = sql`${passes(filter, visible)} ORDER BY ${by} ${toLimit(page)}`;
      const keys = selectKeys(database, 'time', ordered);
      return sql`SELECT ${BLOCK_SELECT} FROM ${identifier(database, 'blocks')} WHERE (${KEY}) IN (${keys}) ORDER BY ${by}`;
    },
  },
] as const;

/** The statement of a list, and the name of its strategy. */
export function planBlocks(
  database: string,
  filter: BlockFilter,
  page: Page,
  visible: VisibleRange,
): { readonly path: string; readonly statement: Sql } {
  const list = { database, filter, page, visible };
  const { name, plan } = chooseStrategy(STRATEGIES, list);
  return { path: name, statement: plan(list) };
}

/** Blocks of a filter by generation time. One query. */
export async function readBlocks(
  scope: ReadScope,
  filter: BlockFilter,
  page: Page,
): Promise<readonly BlockRow[]> {
  if (isImpossible(filter)) return [];
  const { statement } = planBlocks(scope.databases.base, filter, page, scope.visible);
  return (await scope.query(statement)).map(blockRow);
}

function select({ database, filter, page, visible }: BlockList, key: Sql | null): Sql {
  const conditions = and(passes(filter, visible), key);
  return sql`SELECT ${BLOCK_SELECT} FROM ${identifier(database, 'blocks')} WHERE ${conditions} ORDER BY ${ORDER.by(page.descending)} ${toLimit(page)}`;
}

function idIs({ workchain, seqno, shard }: PartialBlockId): Sql {
  return and(
    workchain !== undefined && sql`workchain = ${i32(workchain)}`,
    seqno !== undefined && sql`seqno = ${u32(seqno)}`,
    shard !== undefined && sql`shard = ${u64(shard)}`,
  );
}

/** Every filter as a condition on a block: right with every strategy. */
function passes(filter: BlockFilter, visible: VisibleRange): Sql {
  const { workchain, shard, seqno, mcSeqno, rootHash, fileHash, scan } = filter;
  const { startUtime, endUtime, startLt, endLt } = filter;
  return and(
    within(visible),
    workchain !== undefined && sql`workchain = ${i32(workchain)}`,
    shard !== undefined && sql`shard = ${u64(shard)}`,
    seqno !== undefined && sql`seqno = ${u32(seqno)}`,
    mcSeqno !== undefined && sql`mc_seqno = ${u32(mcSeqno)}`,
    rootHash !== undefined && sql`root_hash = unhex(${text(rootHash)})`,
    fileHash !== undefined && sql`file_hash = unhex(${text(fileHash)})`,
    scan?.after && ORDER.after(scan.after, scan.descending),
    startUtime !== undefined && sql`gen_utime >= ${u32(startUtime)}`,
    endUtime !== undefined && sql`gen_utime <= ${u32(endUtime)}`,
    startLt !== undefined && sql`start_lt >= ${u64(startLt)}`,
    endLt !== undefined && sql`start_lt <= ${u64(endLt)}`,
  );
}
