import { ConflictError, UnavailableError } from '../../errors/error-kinds.ts';
import type { RunningServer } from './server-state.ts';

/** Another process holds the store directory. */
export class StoreInUseError extends ConflictError {
  readonly directory: string;
  /** Null while the other process has not written its state yet. */
  readonly holder: RunningServer | null;

  constructor(directory: string, holder: RunningServer | null) {
    const who = holder
      ? `process ${holder.pid} at ${holder.url}, started by process ${holder.ownerPid} on ${holder.startedAt}`
      : 'a process that is just starting';
    super(`the store in ${directory} is in use by ${who}`);
    this.directory = directory;
    this.holder = holder;
  }
}

/** The embedded server ended, or did not answer in time, before it was ready. */
export class StoreStartError extends UnavailableError {
  readonly directory: string;
  readonly reason: string;
  /** The last lines that the server wrote to stderr. */
  readonly stderr: string;
  /** The same lines, for the text of the error (`errorText`). */
  readonly details: readonly string[];

  constructor(directory: string, reason: string, stderr: string) {
    super(`the embedded ClickHouse server in ${directory} did not start: ${reason}`);
    this.directory = directory;
    this.reason = reason;
    this.stderr = stderr;
    this.details = stderr.split('\n').filter((line) => line !== '');
  }
}
