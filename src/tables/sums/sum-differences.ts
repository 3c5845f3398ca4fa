import { STEPS_PER_SUM, type Sums, sumKeys, sumSelect } from './sums.ts';

/** Hundreds of steps that a range touches. */
const FIRST = `intDiv({first:UInt32}, ${STEPS_PER_SUM})`;
const LAST = `intDiv({last:UInt32}, ${STEPS_PER_SUM})`;

/** The law that `sumDifferences` checks, in words. */
export const sumLaw = ({ name, stored }: Sums): string => `${name} has the sums of ${stored}`;

/**
 * SELECT of sums that differ from those of the rows, as a text `problem`. Parameters: `db` (Identifier), `first` and `last`
 * (UInt32), the steps. Hundreds with rows of other steps are left out: those rows may be in flight.
 */
export function sumDifferences(sums: Sums): string {
  const stored = `{db:Identifier}.${sums.stored}`;
  const keys = [...sumKeys(sums), 'steps'].join(', ');
  const names = sums.sums.map(({ name }) => name);
  const rows = `mc_seqno >= ${FIRST} * ${STEPS_PER_SUM} AND mc_seqno < (${LAST} + 1) * ${STEPS_PER_SUM}`;
  const isOutside = 'mc_seqno NOT BETWEEN {first:UInt32} AND {last:UInt32}';
  const held = names.map((name) => `-${name} AS ${name}`).join(', ');
  const differences = names.map((name) => `sum(x.${name})`);
  return `SELECT concat('steps at ', toString(steps * ${STEPS_PER_SUM}), ', hour ', toString(hour), ': rows less sums of ${names.join(', ')}: ',
        toString(tuple(${differences.join(', ')}))) AS problem
      FROM (
        ${sumSelect(sums, stored, rows)}
        UNION ALL
        SELECT ${keys}, ${held} FROM {db:Identifier}.${sums.name} WHERE steps BETWEEN ${FIRST} AND ${LAST}
      ) AS x
      WHERE steps NOT IN (SELECT intDiv(mc_seqno, ${STEPS_PER_SUM}) FROM ${stored} WHERE ${rows} AND ${isOutside})
      GROUP BY ${keys} HAVING ${differences.map((one) => `${one} != 0`).join(' OR ')}`;
}
