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
    super(`${resource} is in use by ${owner} until ${expiresAt.toISOString()}`);
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
    super(`the log was created with ${field} = ${recorded}, this start has ${wanted}`);
    this.field = field;
    this.recorded = recorded;
    this.wanted = wanted;
  }
}

/** The log has no identity yet: `establish()` must come before the first writer or consumer. */
export class LogNotEstablishedError extends Error {
  override readonly name = 'LogNotEstablishedError';
  /** The log's directory, or the prefix of its topics. */
  readonly place: string;
  constructor(place: string) {
    super(`the log in ${place} has no identity yet: establish it first`);
    this.place = place;
  }
}

/** An argument of append, put or read breaks the rules of the port. */
export class InvalidRequestError extends Error {
  override readonly name = 'InvalidRequestError';
  readonly where: string;
  readonly expected: string;
  readonly found: string;
  constructor(where: string, expected: string, found: string) {
    super(`${where}: expected ${expected}, found ${found}`);
    this.where = where;
    this.expected = expected;
    this.found = found;
  }
}

/** The lane's journal and what was asked for do not fit: two batches at once, a gap, or an unknown entry. */
export class JournalConflictError extends Error {
  override readonly name = 'JournalConflictError';
  readonly resource: string;
  readonly expected: string;
  readonly found: string;
  constructor(resource: string, expected: string, found: string) {
    super(`${resource}: expected ${expected}, found ${found}`);
    this.resource = resource;
    this.expected = expected;
    this.found = found;
  }
}

/** The log begins after the next step in chain order: that step was freed, or never appended. */
export class ChainGapError extends Error {
  override readonly name = 'ChainGapError';
  readonly expected: number;
  readonly found: number;
  constructor(expected: number, found: number) {
    super(`masterchain ${expected} comes next in the order of the chain, the log continues with ${found}`);
    this.expected = expected;
    this.found = found;
  }
}

/** Records that a reader needs are gone: Kafka's retention or an operator deleted them. */
export class RecordsDeletedError extends Error {
  override readonly name = 'RecordsDeletedError';
  readonly lane: number;
  /** First offset that is gone. */
  readonly first: number;
  /** First offset that is kept after them. */
  readonly next: number;

  constructor(topic: string, { lane, first, next }: { lane: number; first: number; next: number }) {
    super(
      `${topic}, lane ${lane}: offsets ${first} to ${next - 1} were deleted before they were read; ` +
        '`tonhouse verify --repair --source SOURCE` reads their blocks from an archive',
    );
    this.lane = lane;
    this.first = first;
    this.next = next;
  }
}

/** Files of the log cannot be read: they are cut, altered or gone. */
export class UnreadableLogError extends Error {
  override readonly name: string = 'UnreadableLogError';
}

/** The bus was closed before the call was answered. */
export class BusClosedError extends Error {
  override readonly name = 'BusClosedError';
  readonly operation: string;
  constructor(operation: string) {
    super(`${operation}: the bus is closed`);
    this.operation = operation;
  }
}
