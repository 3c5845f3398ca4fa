import type { ChainCheckOptions } from '../../engine/projection/projection.ts';
import type { CheckResult } from '../../engine/projection/table-audit.ts';
import { LAKE_SUMS } from '../../tables/sums/lake-sums.ts';
import { checkSums } from '../sums/check-sums.ts';

/** Checks the sums of trades and sales against their rows. */
export function lakeChecks(options: ChainCheckOptions): Promise<readonly CheckResult[]> {
  return checkSums(options, LAKE_SUMS);
}
