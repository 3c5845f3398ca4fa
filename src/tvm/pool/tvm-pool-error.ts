/**
 * Why a call failed: `timeout` it ran too long, `emulator` it failed in the emulator, `result` its result is too large,
 * `busy` too many calls wait, `closed` the pool was closed meanwhile.
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
