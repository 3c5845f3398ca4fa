/**
 * Why a call was not answered: `timeout` it ran too long, `emulator` it failed in there, `result` its result is too
 * large, `busy` too many wait already, `closed` the pool was closed under it.
 */
export type TvmPoolReason = 'timeout' | 'emulator' | 'result' | 'busy' | 'closed';

/** A call was not answered. */
export class TvmPoolError extends Error {
  override readonly name = 'TvmPoolError';
  readonly reason: TvmPoolReason;

  constructor(reason: TvmPoolReason, detail: string) {
    super(`TVM: ${detail}`);
    this.reason = reason;
  }
}
