import { UnavailableError } from '../errors/error-kinds.ts';

/**
 * Why a fetch failed: `scheme` not http(s), or with a password; `address` not public; `redirect` too many or without a
 * target; `status` not 200; `size` above the limit; `encoding` compressed; `timeout`; `network` any other failure.
 */
export type FetchFailure =
  | 'scheme'
  | 'address'
  | 'redirect'
  | 'status'
  | 'size'
  | 'encoding'
  | 'timeout'
  | 'network';

/** A link could not be fetched. */
export class FetchError extends UnavailableError {
  readonly reason: FetchFailure;

  constructor(reason: FetchFailure, what: string, options?: ErrorOptions) {
    super(`${reason}: ${what}`, options);
    this.reason = reason;
  }
}
