import { documented } from '../../parameters/parameter.ts';
import type { Page } from '../../query/page.ts';
import type { ServeSettings } from '../../serve-context.ts';
import { i32 } from './forms.ts';
import { PAGING, SORTING, toPage } from './paging.ts';

/** Rows of multisigs and orders, and values of their filters: more than elsewhere. */
export const MAX_MULTISIGS = 1_024;

/** Paging of multisigs and orders, by the lt of their last transaction. */
export const MULTISIG_PAGING = {
  ...PAGING,
  limit: documented(i32(`Rows at most, 1 to ${MAX_MULTISIGS}.`), { minimum: 1, maximum: MAX_MULTISIGS }),
  ...SORTING,
} as const;

/** The page asked for; newest first by default. @throws HttpError 422 */
export function multisigPage(values: Parameters<typeof toPage>[0], settings: ServeSettings): Page {
  return toPage(values, { ...settings, maxLimit: Math.max(settings.maxLimit, MAX_MULTISIGS) });
}
