import { BASE_SUMS } from '../../../tables/sums/base-sums.ts';
import { sumDifferences, sumLaw } from '../../../tables/sums/sum-differences.ts';
import type { Check } from './check.ts';

/** Laws of the sums by hour. */
export const SUM_CHECKS: readonly Check[] = BASE_SUMS.map((sums) => ({
  name: sums.name.replaceAll('_', '-'),
  law: sumLaw(sums),
  over: 'range',
  table: sums.name,
  sql: sumDifferences(sums),
}));
