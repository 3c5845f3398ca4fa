/*
 * Tables of sums by hour. A row has the sums of a hundred masterchain steps, so that a view can read the hundreds that are
 * visible as a whole and add the steps at both ends from the table with all rows.
 */
import type { Target, TargetColumn } from '../target.ts';

/** Steps that a row sums. */
export const STEPS_PER_SUM = 100;

/** A column of sums: an expression over a row of the source. */
export interface SumColumn {
  readonly name: string;
  readonly type: string;
  readonly comment: string;
  readonly from: string;
}

/** Sums of rows by hour and further columns. */
export interface Sums {
  readonly name: string;
  readonly comment: string;
  /** Table with all rows: landed as `land_<source>`, stored as `stored`. */
  readonly source: string;
  readonly stored: string;
  /** Expression of the time, Unix seconds. */
  readonly time: string;
  /** Expression of a further FROM after the table, such as an ARRAY JOIN. */
  readonly join?: string;
  readonly where?: string;
  readonly by: readonly SumColumn[];
  /** Signed, since a correction may subtract. */
  readonly sums: readonly SumColumn[];
  /** Sharding key on a cluster. Default: the steps. */
  readonly shard?: string;
  /** Data skipping indexes over `by`: expression and type by name. */
  readonly skips?: Target['skips'];
}

/** Number of rows, or of those that meet a condition. */
export const buildCount = (name: string, condition: string, comment: string): SumColumn => ({
  ...{ name, comment },
  type: 'Int64',
  from: condition === '' ? '1' : `toInt64(${condition})`,
});

/** Sum of an amount. */
export const buildAmount = (name: string, from: string, comment: string): SumColumn => ({
  ...{ name, comment },
  type: 'Int128',
  from: `toInt128(${from})`,
});

/** Sum of an amount in a token's smallest units. Views show amounts of up to 38 digits: others are left out. */
export const buildTokens = (name: string, from: string, comment: string): SumColumn => ({
  ...{ name, comment },
  type: 'Int256',
  from: `if(${from} < toUInt256('1${'0'.repeat(38)}'), toInt256(${from}), toInt256(0))`,
});

/** A column of the source by which rows are summed. */
export const sameColumn = (name: string, type: string, comment: string): SumColumn => ({
  ...{ name, type, comment },
  from: name,
});

const STEPS = `intDiv(mc_seqno, ${STEPS_PER_SUM})`;

/** Names of the columns that a row is summed by. */
export function sumKeys({ by }: Sums): readonly string[] {
  return ['hour', ...by.map(({ name }) => name)];
}

/** SELECT of the sums of a table's rows by hour and steps. `from`: the table; `condition`: which rows, or null. */
export function sumSelect(sums: Sums, from: string, condition: string | null): string {
  const { by, time, join, where } = sums;
  const columns = [
    `toStartOfHour(toDateTime(${time}, 'UTC')) AS hour`,
    ...by.map(({ name, from: expression }) => (expression === name ? name : `${expression} AS ${name}`)),
    `${STEPS} AS steps`,
    ...sums.sums.map(({ name, type, from: expression }) => `CAST(sum(${expression}), '${type}') AS ${name}`),
  ];
  const conditions = [where, condition].filter((one) => typeof one === 'string');
  return [
    `SELECT ${columns.join(',\n    ')}`,
    `FROM ${from}${join ? ` ${join}` : ''}`,
    ...(conditions.length > 0 ? [`WHERE ${conditions.join(' AND ')}`] : []),
    `GROUP BY ${[...sumKeys(sums), 'steps'].join(', ')}`,
  ].join('\n');
}

/** The table of sums as a target. */
export function sumTarget(sums: Sums): Target {
  const column = ({ name, type, comment }: Pick<SumColumn, 'name' | 'type' | 'comment'>): TargetColumn => ({
    ...{ name, type, comment },
    codec: 'ZSTD(1)',
  });
  return {
    name: sums.name,
    comment: sums.comment,
    source: `land_${sums.source}`,
    columns: [
      column({ name: 'hour', type: "DateTime('UTC')", comment: 'Start of the hour, UTC.' }),
      ...sums.by.map(column),
      column({
        name: 'steps',
        type: 'UInt32',
        comment: `Masterchain steps of the row: mc_seqno / ${STEPS_PER_SUM}, rounded down.`,
      }),
      ...sums.sums.map(column),
    ],
    ...(sums.skips && { skips: sums.skips }),
    select: (from, range) => sumSelect(sums, from, range),
    engine: `SummingMergeTree((${sums.sums.map(({ name }) => name).join(', ')}))`,
    orderBy: [...sumKeys(sums), 'steps'],
    settings: { index_granularity: 1024 },
    shard: sums.shard ?? 'steps',
  };
}

/** The table of sums as the sink corrects it: the sums of the hundreds that a range touches, less those that are there. */
export function summedBySteps(sums: Sums) {
  const target = sumTarget(sums);
  const keys = [...sumKeys(sums), 'steps'].join(', ');
  const first = `intDiv({first:UInt32}, ${STEPS_PER_SUM})`;
  const last = `intDiv({last:UInt32}, ${STEPS_PER_SUM})`;
  const rows = `mc_seqno >= ${first} * ${STEPS_PER_SUM} AND mc_seqno < (${last} + 1) * ${STEPS_PER_SUM}`;
  const wanted = sumSelect(sums, `{db:Identifier}.${sums.stored}`, rows);
  const names = sums.sums.map(({ name }) => name);
  const held = `SELECT ${keys}, ${names.map((name) => `-${name}`).join(', ')}\nFROM {db:Identifier}.${sums.name}\nWHERE steps BETWEEN ${first} AND ${last}`;
  const total = sums.sums.map(({ name, type }) => `CAST(sum(x.${name}), '${type}') AS ${name}`);
  const sql = `SELECT ${keys}, ${total.join(', ')}
FROM
(
${wanted}
UNION ALL
${held}
) AS x
GROUP BY ${keys}
HAVING ${names.map((name) => `${name} != 0`).join(' OR ')}`;
  return { table: target.name, shard: target.shard, corrections: { sql } };
}
