import { ALL_SUMS } from '../../tables/sums/all-sums.ts';
import { STEPS_PER_SUM, sumKeys, sumSelect } from '../../tables/sums/sums.ts';
import { firstVisible, lastVisible } from './range-view.ts';
import type { LakeSources } from './sources.ts';
import { isVisible } from './visible.ts';

/**
 * Sums by hour of the visible steps, as a subquery: the stored sums of the hundreds of steps that are visible as a whole, and
 * sums of the rows of the steps at both ends. So they are exact while steps are written.
 */
export function visibleSums(sources: LakeSources, projection = '', name = ''): string {
  const sums = ALL_SUMS.find((one) => one.name === name);
  const database = sources.databases[projection];
  if (!sums) throw new RangeError(`no sums ${name} in src/tables/sums/all-sums.ts`);
  const from = `intDiv(${firstVisible(sources, projection)} + ${STEPS_PER_SUM - 1}, ${STEPS_PER_SUM})`;
  const end = `intDiv(${lastVisible(sources, projection)} + 1, ${STEPS_PER_SUM})`;
  const columns = [...sumKeys(sums), 'steps', ...sums.sums.map((one) => one.name)].join(', ');
  const ends = `(r.mc_seqno < ${from} * ${STEPS_PER_SUM} OR r.mc_seqno >= ${end} * ${STEPS_PER_SUM})`;
  const rows = sumSelect(
    sums,
    `${database}.${sums.stored} AS r`,
    `${isVisible(sources, projection, 'r')} AND ${ends}`,
  );
  return `(SELECT ${columns} FROM ${database}.${name} WHERE steps >= ${from} AND steps < ${end} UNION ALL ${rows})`;
}
