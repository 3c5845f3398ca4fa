import type { Bus, LogRecord, NewRecord } from '../../platform/bus/port.ts';

export const DEAD_LETTERS = 'dead-letters';

/** Why a record could not be used. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** Resolves once the letter is durable; a letter that cannot be written stops the stage. */
export interface DeadLetterSink {
  put(record: LogRecord, failure: Failure): Promise<void>;
}

/** The letter: the record's bytes, where it stands in the log, and what went wrong. */
export function deadLetterOf(stage: string, topic: string, record: LogRecord, failure: Failure): NewRecord {
  return {
    key: record.key,
    headers: {
      ...record.headers,
      stage,
      topic,
      lane: String(record.lane),
      offset: String(record.offset),
      epoch: String(record.epoch),
      position: String(record.position),
      code: failure.code,
      error: failure.message,
      at: new Date().toISOString(),
    },
    value: record.value,
  };
}

/** Dead letters of a stage, in the topic `dead-letters` of the log. */
export function createDeadLetterSink(bus: Bus, stage: string, topic: string): DeadLetterSink {
  return {
    put: async (record, failure) => {
      await bus.put(DEAD_LETTERS, deadLetterOf(stage, topic, record, failure));
    },
  };
}
