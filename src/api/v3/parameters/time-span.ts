import { HttpError } from '../../http/errors/http-error.ts';
import { given } from '../../parameters/parameter.ts';
import type { TimeSpan } from '../../staking/time-span.ts';
import { utime } from './forms.ts';

/** Parameter group U of the contract. */
export const TIME_SPAN = {
  start_utime: utime('From this Unix time on.'),
  end_utime: utime('Up to this Unix time.'),
} as const;

interface SpanValues {
  readonly start_utime: number | undefined;
  readonly end_utime: number | undefined;
}

/** @throws HttpError 422 the bounds are in the wrong order */
export function readTimeSpan({ start_utime: startUtime, end_utime: endUtime }: SpanValues): TimeSpan {
  if (startUtime !== undefined && endUtime !== undefined && startUtime > endUtime)
    throw new HttpError(422, 'start_utime must be less than or equal to end_utime');
  return { startUtime, endUtime };
}

/** The bounds as answers repeat them. */
export function spanFields({ start_utime, end_utime }: SpanValues) {
  return given({ start_utime, end_utime });
}
