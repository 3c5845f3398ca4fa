import { LRUCache } from 'lru-cache';
import { answerCache } from '../../query/answer-cache.ts';
import type { Page } from '../../query/page.ts';
import type { ReadScope } from '../../query/scope.ts';
import { SharedLookUp } from '../../query/shared-look-up.ts';
import type { BlockFilter } from './filter.ts';
import { isImpossible } from './filter.ts';
import { type BlockRow, blockRow } from './model.ts';
import { planBlocks, planMasterchainBlocks, planMasterchainEnds, planShardState, planStep } from './plan.ts';

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

/** Every block that a masterchain block committed, itself included; empty outside the visible range. */
export async function readStep(
  scope: ReadScope,
  mcSeqno: number,
  page: Pick<Page, 'limit' | 'offset'>,
): Promise<readonly BlockRow[]> {
  if (!isVisible(scope, mcSeqno)) return [];
  return (await scope.query(planStep(scope.databases.base, mcSeqno, page))).map(blockRow);
}

/** The top blocks of all shards as of a masterchain block, and that block; empty outside the visible range. */
export async function readShardState(scope: ReadScope, mcSeqno: number): Promise<readonly BlockRow[]> {
  if (!isVisible(scope, mcSeqno)) return [];
  return (await scope.query(planShardState(scope.databases.base, mcSeqno))).map(blockRow);
}

/**
 * True if blocks of a masterchain step are indexed. Among isolated blocks the masterchain block may be missing although
 * a shard block is there.
 */
export async function isIndexedStep(scope: ReadScope, mcSeqno: number): Promise<boolean> {
  if (!isVisible(scope, mcSeqno)) return false;
  const rows = await scope.query({
    sql: `SELECT 1 FROM ${scope.databases.base}.blocks WHERE mc_seqno = {mc_seqno:UInt32} LIMIT 1`,
    params: { mc_seqno: mcSeqno },
  });
  return rows.length > 0;
}

/** The masterchain block of a seqno, or null if it is not visible. */
export async function readMasterchainBlock(scope: ReadScope, seqno: number): Promise<BlockRow | null> {
  if (!isVisible(scope, seqno)) return null;
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

/** Whether a masterchain seqno lies within the visible range. */
export function isVisible(scope: ReadScope, mcSeqno: number): boolean {
  return mcSeqno >= scope.visible.first && mcSeqno <= scope.visible.last;
}
