import type { LogRecord } from '../../log/port.ts';

/** Why a record could not be used. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** Resolves once the letter is durable; a letter that cannot be written stops the stage. */
export interface DeadLetterSink {
  put(record: LogRecord, failure: Failure): Promise<void>;
}
