import { STEP_ROWS } from '../../../engine/sink/step-rows.ts';
import type { Check } from './check.ts';

const IN_SLICE = 'mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}';

/**
 * Steps (column `mc_seqno`) of a statement, with `reach`: the first step after the confirmed range that contains that
 * step, 0 if there is none. A step is confirmed if it is below `reach`. Ranges that begin alike have the same reach:
 * the join takes any of them.
 */
const withReach = (steps: string): string => `
  SELECT * FROM (SELECT *, 1 AS every FROM (${steps})) AS steps
  ASOF LEFT JOIN (
    SELECT 1 AS every, first, 1 + max(toInt64(last)) OVER (ORDER BY first) AS reach
    FROM {db:Identifier}.confirmed
  ) AS ranges ON steps.every = ranges.every AND steps.mc_seqno >= ranges.first`;

/**
 * Counts by step and table; `getRowCondition`: a condition on the rows of a table that are looked at. `{cold}` are the
 * steps whose raw blocks may be in sealed files only.
 */
function miscountedBy(tables: readonly string[], getRowCondition: (table: string) => string): string {
  const counts = tables
    .map(
      (table) =>
        `SELECT mc_seqno, '${table}' AS name, 0 AS wanted, toInt64(count()) AS found FROM {db:Identifier}.${table}
     WHERE ${IN_SLICE} AND ${getRowCondition(table)} GROUP BY mc_seqno`,
    )
    .join('\n    UNION ALL ');
  return `
  SELECT mc_seqno, name, wanted, found FROM (${withReach(`
    SELECT mc_seqno, name, sum(wanted) AS wanted, sum(found) AS found
    FROM (
      SELECT mc_seqno, tupleElement(pair, 1) AS name, toInt64(tupleElement(pair, 2)) AS wanted, toInt64(0) AS found
      FROM (SELECT mc_seqno, arrayJoin(CAST(rows, 'Array(Tuple(String, UInt64))')) AS pair
        FROM {db:Identifier}.${STEP_ROWS} WHERE ${IN_SLICE})
      UNION ALL ${counts}
    )
    WHERE NOT (name = 'raw_blocks' AND {cold})
    GROUP BY mc_seqno, name HAVING wanted != found`)})
  WHERE mc_seqno < reach`;
}

/**
 * Confirmed steps of the slice whose rows differ from the counts before the insert. `tables`: the version's tables with
 * counts.
 */
export function miscounted(tables: readonly string[]): string {
  return miscountedBy(tables, () => '1');
}

/**
 * The same for steps that were written after `since` (DateTime): their rows lie in parts that were written since, so no
 * other part is read.
 */
export function miscountedRecently(tables: readonly string[]): string {
  return miscountedBy(
    tables,
    (table) =>
      `_part IN (SELECT name FROM system.parts WHERE active AND database = {database:String} AND table = '${table}'
      AND modification_time >= toDateTime({since:UInt32}))`,
  );
}

/** Steps of the slice that have rows outside any confirmed range; `{open}` are the steps that may be in progress. */
export const UNCONFIRMED = `
  SELECT mc_seqno FROM (${withReach(`
    SELECT DISTINCT mc_seqno FROM (
      SELECT mc_seqno FROM {db:Identifier}.${STEP_ROWS} WHERE ${IN_SLICE}
      UNION ALL SELECT mc_seqno FROM {db:Identifier}.blocks WHERE ${IN_SLICE}
      UNION ALL SELECT mc_seqno FROM {db:Identifier}.raw_blocks WHERE ${IN_SLICE}
    )`)})
  WHERE mc_seqno >= reach AND NOT {open}`;

/** Laws of counts: they hold for all that is indexed, visible or not. */
export const rowChecks = (tables: readonly string[]): readonly Check[] => [
  {
    name: 'step-rows',
    law: 'every table has as many rows of a step as were counted before the insert',
    over: 'all',
    sql: `SELECT concat('masterchain ', toString(mc_seqno), ': ', name, ' has ', toString(found), ' of ', toString(wanted), ' rows') AS problem
      FROM (${miscounted(tables)}) ORDER BY mc_seqno, name`,
  },
  {
    name: 'confirmed-steps',
    law: 'every step with rows is confirmed, or in progress',
    over: 'all',
    sql: `SELECT concat('masterchain ', toString(mc_seqno), ' holds rows and is not confirmed') AS problem
      FROM (${UNCONFIRMED}) ORDER BY mc_seqno`,
  },
];
