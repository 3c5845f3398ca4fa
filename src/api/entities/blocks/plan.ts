import { hash8, u64Array, u64Set } from '../../query/key-lists.ts';
import { direction, type Page } from '../../query/page.ts';
import { boundToVisible } from '../../query/scope.ts';
import { Conditions, type Statement } from '../../query/statement.ts';
import type { VisibleRange } from '../../version-vector.ts';
import type { BlockFilter } from './filter.ts';
import { BLOCK_SELECT } from './model.ts';

export type BlockPath = 'hash' | 'id' | 'masterchain-seqno' | 'time';

export interface BlockPlan {
  readonly path: BlockPath;
  readonly statement: Statement;
}

const KEY = 'mc_seqno, workchain, shard, seqno';
const LIMIT = 'LIMIT {limit:UInt32} OFFSET {offset:UInt32}';

/** A list of blocks by generation time, ties by (workchain, shard, seqno), in the same direction. One statement. */
export function planBlocks(
  database: string,
  filter: BlockFilter,
  page: Page,
  visible: VisibleRange,
): BlockPlan {
  const conditions = blockConditions(filter, visible).bind({ limit: page.limit, offset: page.offset });
  const path = getPath(filter);
  if (path !== 'time') addKey(conditions, path, database, filter);
  const dir = direction(page);
  const order = `gen_utime ${dir}, workchain ${dir}, shard ${dir}, seqno ${dir}`;
  const from = `SELECT ${BLOCK_SELECT} FROM ${database}.blocks`;
  if (path === 'time') {
    const keys = `SELECT ${KEY} FROM ${database}.blocks_by_time WHERE ${conditions.text} ORDER BY ${order} ${LIMIT}`;
    return { path, statement: conditions.statement(`${from} WHERE (${KEY}) IN (${keys}) ORDER BY ${order}`) };
  }
  return {
    path,
    statement: conditions.statement(`${from} WHERE ${conditions.text} ORDER BY ${order} ${LIMIT}`),
  };
}

function getPath(filter: BlockFilter): BlockPath {
  if (filter.rootHash !== undefined || filter.fileHash !== undefined) return 'hash';
  if (filter.mcSeqno !== undefined) return 'masterchain-seqno';
  return filter.seqno === undefined ? 'time' : 'id';
}

function addKey(conditions: Conditions, path: BlockPath, database: string, filter: BlockFilter): void {
  if (path === 'hash') {
    const keys = [filter.rootHash, filter.fileHash].filter((hash) => hash !== undefined).map(hash8);
    conditions.add(
      `(${KEY}) IN (SELECT ${KEY} FROM ${database}.block_hashes WHERE hash8 IN ${u64Set('hash8s')})`,
      {
        hash8s: u64Array(keys),
      },
    );
  } else if (path === 'id') {
    const workchain = filter.workchain === undefined ? '' : 'workchain = {workchain:Int32} AND ';
    const shard = filter.shard === undefined ? '' : ' AND shard = {shard:UInt64}';
    conditions.add(
      `(${KEY}) IN (SELECT ${KEY} FROM ${database}.blocks_by_id WHERE ${workchain}seqno = {seqno:UInt32}${shard})`,
    );
  }
}

function blockConditions(filter: BlockFilter, visible: VisibleRange): Conditions {
  const conditions = boundToVisible(new Conditions(), visible);
  if (filter.workchain !== undefined) {
    conditions.add('workchain = {workchain:Int32}', { workchain: filter.workchain });
  }
  if (filter.shard !== undefined) conditions.add('shard = {shard:UInt64}', { shard: `${filter.shard}` });
  if (filter.seqno !== undefined) conditions.add('seqno = {seqno:UInt32}', { seqno: filter.seqno });
  if (filter.mcSeqno !== undefined) {
    conditions.add('mc_seqno = {mc_seqno:UInt32}', { mc_seqno: filter.mcSeqno });
  }
  if (filter.rootHash !== undefined) {
    conditions.add('root_hash = unhex({root_hash:String})', { root_hash: filter.rootHash });
  }
  if (filter.fileHash !== undefined) {
    conditions.add('file_hash = unhex({file_hash:String})', { file_hash: filter.fileHash });
  }
  addPlace(conditions, filter);
  return addBounds(conditions, filter);
}

function addPlace(conditions: Conditions, { scan }: BlockFilter): void {
  if (!scan?.after) return;
  const sign = scan.descending ? '<' : '>';
  const { gen_utime, workchain, shard, seqno } = scan.after;
  conditions.add(
    `gen_utime ${sign}= {after_utime:UInt32} AND (gen_utime, workchain, shard, seqno) ${sign} ` +
      '({after_utime:UInt32}, {after_workchain:Int32}, {after_shard:UInt64}, {after_seqno:UInt32})',
    { after_utime: gen_utime, after_workchain: workchain, after_shard: shard, after_seqno: seqno },
  );
}

function addBounds(conditions: Conditions, filter: BlockFilter): Conditions {
  if (filter.startUtime !== undefined) {
    conditions.add('gen_utime >= {start_utime:UInt32}', { start_utime: filter.startUtime });
  }
  if (filter.endUtime !== undefined) {
    conditions.add('gen_utime <= {end_utime:UInt32}', { end_utime: filter.endUtime });
  }
  if (filter.startLt !== undefined) {
    conditions.add('start_lt >= {start_lt:UInt64}', { start_lt: `${filter.startLt}` });
  }
  if (filter.endLt !== undefined) {
    conditions.add('start_lt <= {end_lt:UInt64}', { end_lt: `${filter.endLt}` });
  }
  return conditions;
}

/** The blocks that entered the chain with a masterchain block, itself included, by (workchain, shard, seqno). */
export function planStep(database: string, mcSeqno: number, page: Pick<Page, 'limit' | 'offset'>): Statement {
  return {
    sql: `SELECT ${BLOCK_SELECT} FROM ${database}.blocks WHERE mc_seqno = {mc_seqno:UInt32} ORDER BY workchain, shard, seqno ${LIMIT}`,
    params: { mc_seqno: mcSeqno, limit: page.limit, offset: page.offset },
  };
}

/** The top blocks of all shards as of a masterchain block, and that block itself. */
export function planShardState(database: string, mcSeqno: number): Statement {
  const tops = `SELECT workchain, seqno, shard FROM ${database}.shards WHERE mc_seqno = {mc_seqno:UInt32}`;
  const keys = `SELECT ${KEY} FROM ${database}.blocks_by_id WHERE (workchain, seqno, shard) IN (${tops}) AND mc_seqno <= {mc_seqno:UInt32}`;
  const order = 'ORDER BY workchain, shard, seqno';
  return {
    sql:
      `SELECT ${BLOCK_SELECT} FROM (SELECT * FROM ${database}.blocks WHERE mc_seqno = {mc_seqno:UInt32} AND workchain = -1` +
      ` UNION ALL SELECT * FROM ${database}.blocks WHERE (${KEY}) IN (${keys})) ${order}`,
    params: { mc_seqno: mcSeqno },
  };
}

/** The masterchain blocks of some seqnos, by seqno. */
export function planMasterchainBlocks(database: string, seqnos: readonly number[]): Statement {
  return {
    sql: `SELECT ${BLOCK_SELECT} FROM ${database}.blocks WHERE mc_seqno IN (${seqnos.join(', ')}) AND workchain = -1 ORDER BY seqno`,
    params: {},
  };
}

/** The lowest and the highest seqno of the masterchain blocks within bounds, and how many there are. */
export function planMasterchainEnds(database: string, first: number, last: number): Statement {
  return {
    sql:
      `SELECT min(seqno), max(seqno), toString(count()) FROM ${database}.blocks_by_id` +
      ' WHERE workchain = -1 AND seqno BETWEEN {first:UInt32} AND {last:UInt32}',
    params: { first, last },
  };
}
