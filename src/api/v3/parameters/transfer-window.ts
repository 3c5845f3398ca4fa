import { SCANNING } from '../scan.ts';
import { lt, utime } from './forms.ts';
import { PAGING, SORTING } from './paging.ts';

/** Parameter groups U, L, P and S of lists of transfers, which can be scanned. */
export const TRANSFER_WINDOW = {
  start_utime: utime('Transactions at or after this time, Unix seconds.'),
  end_utime: utime('Transactions at or before this time, Unix seconds.'),
  start_lt: lt('Transactions of this lt or later.'),
  end_lt: lt('Transactions of this lt or earlier.'),
  ...PAGING,
  ...SORTING,
  ...SCANNING,
} as const;

interface Window {
  readonly start_utime: number | undefined;
  readonly end_utime: number | undefined;
  readonly start_lt: bigint | undefined;
  readonly end_lt: bigint | undefined;
}

/** The bounds of a list of transfers, as a filter takes them. */
export function getBounds(values: Window) {
  return {
    startUtime: values.start_utime,
    endUtime: values.end_utime,
    startLt: values.start_lt?.toString(),
    endLt: values.end_lt?.toString(),
  };
}
