import { LRUCache } from 'lru-cache';
import { answerCache } from '../../query/answer-cache.ts';
import { toNumbers } from '../../query/keys.ts';
import { type Page, toLimit } from '../../query/page.ts';
import { isVisible, type ReadScope } from '../../query/scope.ts';
import { SharedLookUp } from '../../query/shared-look-up.ts';
import { identifier, type Sql, sql, u32 } from '../../query/sql.ts';
import { blockIndex, KEY, selectKeys } from './keys.ts';
import { BLOCK_SELECT, type BlockRow, blockRow } from './model.ts';

/** Every block that a masterchain block committed, itself included; empty outside the visible range. */
export async function readStep(
  scope: ReadScope,
  mcSeqno: number,
  page: Pick<Page, 'limit' | 'offset'>,
): Promise<readonly BlockRow[]> {
  if (!isVisible(mcSeqno, scope.visible)) return [];
  return (await scope.query(planStep(scope.databases.base, mcSeqno, page))).map(blockRow);
}

/** The top blocks of all shards as of a masterchain block, and that block; empty outside the visible range. */
export async function readShardState(scope: ReadScope, mcSeqno: number): Promise<readonly BlockRow[]> {
  if (!isVisible(mcSeqno, scope.visible)) return [];
  return (await scope.query(planShardState(scope.databases.base, mcSeqno))).map(blockRow);
}

/**
 * True if blocks of a masterchain step are indexed. Among isolated blocks the masterchain block may be missing although
 * a shard block is there.
 */
export async function isIndexedStep(scope: ReadScope, mcSeqno: number): Promise<boolean> {
  if (!isVisible(mcSeqno, scope.visible)) return false;
  const blocks = identifier(scope.databases.base, 'blocks');
  const rows = await scope.query(sql`SELECT 1 FROM ${blocks} WHERE mc_seqno = ${u32(mcSeqno)} LIMIT 1`);
  return rows.length > 0;
}

/** The masterchain block of a seqno, or null if it is not visible. */
export async function readMasterchainBlock(scope: ReadScope, seqno: number): Promise<BlockRow | null> {
  if (!isVisible(seqno, scope.visible)) return null;
  return (await masterchainBlocks(scope, [seqno]))[0] ?? null;
}

/** Masterchain blocks by seqno; some 1.5 KB each. */
const getMasterchain = answerCache(() => new LRUCache<number, BlockRow>({ max: 4_096 }));

const MASTERCHAIN = new SharedLookUp<readonly BlockRow[]>(async (scope, seqnos) =>
  (await scope.query(planMasterchainBlocks(scope.databases.base, seqnos.map(Number)))).map(blockRow),
);

/**
 * The masterchain blocks of visible seqnos, each once, by seqno; those that are missing are left out. Nearly every client asks for the newest: those
 * in memory need no statement, and who asks for another at the same time shares one.
 */
async function masterchainBlocks(scope: ReadScope, seqnos: readonly number[]): Promise<readonly BlockRow[]> {
  const masterchain = getMasterchain(scope);
  const wanted = [...new Set(seqnos)];
  const unknown = wanted.filter((seqno) => !masterchain.has(seqno));
  const found = unknown.length === 0 ? [] : await MASTERCHAIN.find(scope, unknown.map(String));
  for (const row of found) masterchain.set(row.seqno, row);
  return wanted.flatMap((seqno) => masterchain.get(seqno) ?? []);
}

/**
 * The newest indexed masterchain block at or below a visible seqno: the seqno's own except among isolated blocks, where
 * it may be missing. null if there is none.
 */
export async function readNewestMasterchainBlock(scope: ReadScope, seqno: number): Promise<BlockRow | null> {
  const exact = await readMasterchainBlock(scope, seqno);
  if (exact || !scope.context.network.isolated) return exact;
  const { newest } = await readMasterchainEnds(scope, seqno);
  return newest === null ? null : readMasterchainBlock(scope, newest);
}

/** The first and the last visible masterchain blocks; one row if they are equal, none if there is none. */
export async function readVisibleEnds(scope: ReadScope): Promise<readonly BlockRow[]> {
  const { last } = scope.visible;
  // A range that begins with the zerostate begins with no block.
  const first = Math.max(1, scope.visible.first);
  const rows = await masterchainBlocks(scope, [first, last]);
  const isComplete = rows.length === (first === last ? 1 : 2);
  if (isComplete || !scope.context.network.isolated) return rows;
  const { oldest, newest } = await readMasterchainEnds(scope, last);
  if (oldest === null || newest === null) return [];
  return masterchainBlocks(scope, [oldest, newest]);
}

/** Seqnos of the indexed masterchain blocks in the visible range up to one; null if there is none. */
async function readMasterchainEnds(scope: ReadScope, upTo: number) {
  const [row] = await scope.query(planMasterchainEnds(scope.databases.base, scope.visible.first, upTo));
  const [oldest, newest, count] = (row ?? [0, 0, '0']) as [number, number, string];
  return count === '0' ? { oldest: null, newest: null } : { oldest, newest };
}

/** The blocks that entered the chain with a masterchain block, itself included, by (workchain, shard, seqno). */
export function planStep(database: string, mcSeqno: number, page: Pick<Page, 'limit' | 'offset'>): Sql {
  const from = sql`SELECT ${BLOCK_SELECT} FROM ${identifier(database, 'blocks')}`;
  return sql`${from} WHERE mc_seqno = ${u32(mcSeqno)} ORDER BY workchain, shard, seqno ${toLimit(page)}`;
}

/** The top blocks of all shards as of a masterchain block, and that block itself. */
export function planShardState(database: string, mcSeqno: number): Sql {
  const [blocks, step] = [identifier(database, 'blocks'), sql`mc_seqno = ${u32(mcSeqno)}`];
  const tops = sql`SELECT workchain, seqno, shard FROM ${identifier(database, 'shards')} WHERE ${step}`;
  const among = sql`(workchain, seqno, shard) IN (${tops}) AND mc_seqno <= ${u32(mcSeqno)}`;
  const keys = selectKeys(database, 'id', among);
  return sql`SELECT ${BLOCK_SELECT} FROM (SELECT * FROM ${blocks} WHERE ${step} AND workchain = -1 UNION ALL SELECT * FROM ${blocks} WHERE (${KEY}) IN (${keys})) ORDER BY workchain, shard, seqno`;
}

/** The masterchain blocks of some seqnos, by seqno. */
export function planMasterchainBlocks(database: string, seqnos: readonly number[]): Sql {
  const keys = toNumbers(seqnos.map(BigInt), ', ');
  return sql`SELECT ${BLOCK_SELECT} FROM ${identifier(database, 'blocks')} WHERE mc_seqno IN ${keys} AND workchain = -1 ORDER BY seqno`;
}

/** The lowest and the highest seqno of the masterchain blocks within bounds, and how many there are. */
export function planMasterchainEnds(database: string, first: number, last: number): Sql {
  return sql`SELECT min(seqno), max(seqno), toString(count()) FROM ${blockIndex(database, 'id')} WHERE workchain = -1 AND seqno BETWEEN ${u32(first)} AND ${u32(last)}`;
}
