/** The lease was taken over by a newer generation: the holder must stop before it writes. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
  readonly resource: string;
  readonly generation: number;
  readonly current: number | null;
  constructor(resource: string, generation: number, current: number | null) {
    super(`${resource}: generation ${generation} is fenced (current: ${current ?? 'none'})`);
    this.resource = resource;
    this.generation = generation;
    this.current = current;
  }
}

/** Another live owner holds the lease. */
export class LeaseHeldError extends Error {
  override readonly name = 'LeaseHeldError';
  readonly resource: string;
  readonly owner: string;
  readonly expiresAt: Date;
  constructor(resource: string, owner: string, expiresAt: Date) {
    super(`${resource} is held by ${owner} until ${expiresAt.toISOString()}`);
    this.resource = resource;
    this.owner = owner;
    this.expiresAt = expiresAt;
  }
}

/** The log belongs to something else than what was asked for. */
export class IdentityMismatchError extends Error {
  override readonly name = 'IdentityMismatchError';
  readonly field: string;
  readonly recorded: string;
  readonly wanted: string;
  constructor(field: string, recorded: string, wanted: string) {
    super(`the log was created with ${field} = ${recorded}, this start says ${wanted}`);
    this.field = field;
    this.recorded = recorded;
    this.wanted = wanted;
  }
}
