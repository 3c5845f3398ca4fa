import {
  ConflictError,
  DataError,
  InterruptedError,
  UnexpectedValueError,
} from '../platform/errors/error-kinds.ts';

/** The lease was taken over by a newer generation: the holder must stop before it writes. */
export class FencedError extends ConflictError {
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
export class LeaseHeldError extends ConflictError {
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
export class IdentityMismatchError extends ConflictError {
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
export class LogNotEstablishedError extends ConflictError {
  /** The log's directory, or the prefix of its topics. */
  readonly place: string;
  constructor(place: string) {
    super(`the log in ${place} has no identity yet: establish it first`);
    this.place = place;
  }
}

/** An argument of append, put or read breaks the rules of the port. */
export class InvalidRequestError extends UnexpectedValueError {}

/** The lane's journal and what was asked for do not fit: two batches at once, a gap, or an unknown entry. */
export class JournalConflictError extends UnexpectedValueError {}

/** The log begins after the next step in chain order: that step was freed, or never appended. */
export class ChainGapError extends DataError {
  readonly expected: number;
  readonly found: number;
  constructor(expected: number, found: number) {
    super(`masterchain ${expected} comes next in the order of the chain, the log continues with ${found}`);
    this.expected = expected;
    this.found = found;
  }
}

/** Records that a reader needs are gone: Kafka's retention or an operator deleted them. */
export class RecordsDeletedError extends DataError {
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
export class UnreadableLogError extends DataError {
  /** The first offset of the lane after the unreadable records; null if it is unknown. */
  readonly next: number | null;
  constructor(message: string, next: number | null = null) {
    super(message);
    this.next = next;
  }
}

/** A file of an epoch that the log's directory names is gone. */
export class SegmentMissingError extends UnreadableLogError {
  readonly file: string;
  constructor(file: string, next: number | null = null) {
    super(`${file} is named by the log and does not exist`, next);
    this.file = file;
  }

  /** The same, and where readable records may begin again. */
  before(next: number): SegmentMissingError {
    return new SegmentMissingError(this.file, next);
  }
}

/** The bus was closed before the call was answered. */
export class BusClosedError extends InterruptedError {
  readonly operation: string;
  constructor(operation: string) {
    super(`${operation}: the bus is closed`);
    this.operation = operation;
  }
}
