/** The lease was taken over by a newer generation: the holder must stop before it writes. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
  constructor(
    readonly resource: string,
    readonly generation: number,
    readonly current: number | null,
  ) {
    super(`${resource}: generation ${generation} is fenced (current: ${current ?? 'none'})`);
  }
}

/** Another live owner holds the lease. */
export class LeaseHeldError extends Error {
  override readonly name = 'LeaseHeldError';
  constructor(
    readonly resource: string,
    readonly owner: string,
    readonly expiresAt: Date,
  ) {
    super(`${resource} is held by ${owner} until ${expiresAt.toISOString()}`);
  }
}

/** The log belongs to something else than what was asked for. */
export class IdentityMismatchError extends Error {
  override readonly name = 'IdentityMismatchError';
  constructor(
    readonly field: string,
    readonly recorded: string,
    readonly wanted: string,
  ) {
    super(`the log was created with ${field} = ${recorded}, this start says ${wanted}`);
  }
}
