import { BLOCK_TARGETS, RAW_BLOCK_TARGET } from '../../../tables/block-targets.ts';
import type { Check } from './check.ts';

const ID = `concat('(', toString(workchain), ',', lower(hex(shard)), ',', toString(seqno), ')')`;
/** The lowest set bit of a shard id gives its depth. */
const LOW = 'bitAnd(shard, toUInt64(bitNot(shard) + 1))';
const PARENT = `bitOr(toUInt64(shard - ${LOW}), toUInt64(${LOW} * 2))`;

/** (prev_shard, prev_seqno, …) of every block of the slice: one row, or two after a merge. */
const PREVIOUS = `
  SELECT workchain, shard, seqno, mc_seqno, previous.1 AS prev_shard, previous.2 AS prev_number,
    previous.3 AS prev_root, previous.4 AS prev_file
  FROM (
    SELECT *, arrayJoin(if(after_merge,
      [(toUInt64(shard - intDiv(${LOW}, 2)), prev_seqno, prev_root_hash, prev_file_hash),
       (toUInt64(shard + intDiv(${LOW}, 2)), prev2_seqno, prev2_root_hash, prev2_file_hash)],
      [(if(after_split, ${PARENT}, shard), prev_seqno, prev_root_hash, prev_file_hash)])) AS previous
    FROM {db:Identifier}.blocks WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}
  )
  WHERE prev_number > 0`;

/** Rows by table, with as many for each block as the table `blocks`. */
const INDEX_COUNTS = [...BLOCK_TARGETS, RAW_BLOCK_TARGET]
  .map(
    ({ name, rowsPerRow = 1 }) =>
      `SELECT '${name}' AS name, intDiv(count(), ${rowsPerRow}) AS rows FROM {db:Identifier}.${name}
          WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}${name === RAW_BLOCK_TARGET.name ? ' AND NOT {cold}' : ''}`,
  )
  .join('\n        UNION ALL ');

/** Laws of blocks and shard chains. */
export const BLOCK_CHECKS: readonly Check[] = [
  {
    name: 'masterchain-seqnos',
    law: 'every masterchain seqno of the range has its block, in its own step',
    over: 'range',
    needsChain: true,
    sql: `SELECT concat('masterchain block ', toString(wanted), ' is missing') AS problem
      FROM (SELECT toUInt32(arrayJoin(range({first:UInt32}, {last:UInt32} + 1))) AS wanted)
      WHERE wanted NOT IN (
        SELECT seqno FROM {db:Identifier}.blocks
        WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32} AND workchain = -1 AND seqno = mc_seqno)`,
  },
  {
    name: 'block-ids',
    law: 'a block id is unique',
    over: 'range',
    sql: `SELECT concat(${ID}, ' stands ', toString(count()), ' times') AS problem
      FROM {db:Identifier}.blocks WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}
      GROUP BY workchain, shard, seqno HAVING count() > 1`,
  },
  {
    name: 'step-times',
    law: 'a masterchain block begins when the blocks of lower steps and the shard blocks of its own have ended',
    over: 'range',
    needsChain: true,
    sql: `SELECT concat('masterchain block ', toString(mc_seqno), ' begins before other blocks of its step or of lower ones end') AS problem
      FROM (
        SELECT mc_seqno, begins, made, max(greatest(shards_end, previous_end)) OVER steps AS ended,
          max(greatest(shards_made, previous_made)) OVER steps AS others_made
        FROM (
          SELECT *, lagInFrame(ends) OVER previous AS previous_end, lagInFrame(made) OVER previous AS previous_made
          FROM (
            SELECT mc_seqno, maxIf(start_lt, workchain = -1) AS begins, maxIf(end_lt, workchain = -1) AS ends,
              maxIf(gen_utime, workchain = -1) AS made, maxIf(end_lt, workchain != -1) AS shards_end,
              maxIf(gen_utime, workchain != -1) AS shards_made
            FROM {db:Identifier}.blocks WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32} GROUP BY mc_seqno
          )
          WINDOW previous AS (ORDER BY mc_seqno ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
        )
        WINDOW steps AS (ORDER BY mc_seqno)
      )
      WHERE begins > 0 AND (begins < ended OR made < others_made)`,
  },
  {
    name: 'previous-blocks',
    law: 'the previous blocks that a block names are there, with the same root and file hash',
    over: 'range',
    needsChain: true,
    sql: `SELECT concat('(', toString(b.workchain), ',', lower(hex(b.shard)), ',', toString(b.seqno), ') names (',
        lower(hex(b.prev_shard)), ',', toString(b.prev_number), '), which is ',
        if(p.seqno = 0, 'missing', 'another block')) AS problem
      FROM (${PREVIOUS}) AS b
      LEFT JOIN (
        SELECT workchain, shard, seqno, root_hash, file_hash FROM {db:Identifier}.blocks_by_id
        WHERE (workchain, seqno) IN (SELECT workchain, prev_number FROM (${PREVIOUS}))
      ) AS p ON p.workchain = b.workchain AND p.shard = b.prev_shard AND p.seqno = b.prev_number
      WHERE if(p.seqno = 0,
        b.mc_seqno > {first_step:UInt32} AND (b.workchain, b.prev_shard, b.prev_number) NOT IN (
          SELECT workchain, shard, seqno FROM {db:Identifier}.shards WHERE mc_seqno = {first_step:UInt32}),
        p.root_hash != b.prev_root OR p.file_hash != b.prev_file)`,
  },
  {
    name: 'named-shards',
    law: 'the shard blocks that masterchain blocks name are there',
    over: 'range',
    needsChain: true,
    sql: `SELECT concat('masterchain block ', toString(mc_seqno), ' names ', ${ID}, ', which is missing') AS problem
      FROM {db:Identifier}.shards
      WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32} AND seqno > 0
        AND (workchain, shard, seqno) NOT IN (
          SELECT workchain, shard, seqno FROM {db:Identifier}.shards WHERE mc_seqno = {first_step:UInt32})
        AND (workchain, seqno, shard, root_hash) NOT IN (
          SELECT workchain, seqno, shard, root_hash FROM {db:Identifier}.blocks_by_id
          WHERE (workchain, seqno) IN (
            SELECT workchain, seqno FROM {db:Identifier}.shards WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}))`,
  },
  {
    name: 'block-indexes',
    law: 'the indexes of blocks and the raw blocks contain every block once',
    over: 'range',
    sql: `SELECT concat(name, ' has rows for ', toString(rows), ' of ', toString(if(name = 'raw_blocks', hot, every)), ' blocks') AS problem
      FROM (
        ${INDEX_COUNTS}
      ) AS counted
      CROSS JOIN (SELECT count() AS every, countIf(NOT {cold}) AS hot FROM {db:Identifier}.blocks
        WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}) AS blocks_there
      WHERE rows != if(name = 'raw_blocks', hot, every)`,
  },
  {
    name: 'raw-blocks',
    law: 'the bytes of a block have its file hash',
    over: 'range',
    sql: `SELECT concat(${ID}, ': the file hash differs') AS problem
      FROM {db:Identifier}.raw_blocks
      WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32} AND SHA256(boc) != file_hash`,
  },
];
