import { DataError, InterruptedError, UnavailableError } from '../errors/error-kinds.ts';

/** The thread that worked at a job ended before it answered: crash, exit, no memory, or longer than it may take. */
export class WorkerDiedError extends DataError {
  readonly reason: string;
  constructor(reason: string) {
    super(`the worker died at its job: ${reason}`);
    this.reason = reason;
  }
}

/** A thread could not be made ready for jobs: its fault is not a job's, so nothing is gained by another try. */
export class WorkerStartError extends UnavailableError {
  readonly script: string;
  constructor(script: string, reason: string, cause?: unknown) {
    super(`a worker could not be started from ${script}: ${reason}`, { cause });
    this.script = script;
  }

  /** False: the cause is the machine or the script, and the caller counts its attempts. */
  override get isRetriable(): boolean {
    return false;
  }
}

/** The pool was closed while the job was waiting or under way, or before it was given. */
export class PoolClosedError extends InterruptedError {
  constructor() {
    super('the pool of workers is closed');
  }
}
