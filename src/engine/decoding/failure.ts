import type { LogRecord } from '../../log/port.ts';

/** Why a record could not be used. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** Resolves once the dead letter is durable; a failed write stops the stage. */
export interface DeadLetterSink {
  put(record: LogRecord, failure: Failure): Promise<void>;
}
