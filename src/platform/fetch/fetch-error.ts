/**
 * Why nothing was fetched: `scheme` not http(s), or with a password; `address` not of the public internet; `redirect` too many
 * or to nowhere; `status` not 200; `size` more than allowed; `encoding` packed; `timeout`; `network` anything else on the way.
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
export class FetchError extends Error {
  override readonly name = 'FetchError';
  readonly reason: FetchFailure;

  constructor(reason: FetchFailure, what: string, options?: ErrorOptions) {
    super(`${reason}: ${what}`, options);
    this.reason = reason;
  }
}
