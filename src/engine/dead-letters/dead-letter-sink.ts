import type { Bus, LogRecord, NewRecord } from '../../log/port.ts';
import type { DeadLetterSink, Failure } from '../decoding/failure.ts';

export const DEAD_LETTERS = 'dead-letters';

/** The dead letter: the record's bytes, its position in the log, and the failure. */
export function buildDeadLetter(
  stage: string,
  topic: string,
  record: LogRecord,
  failure: Failure,
): NewRecord {
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
      await bus.put(DEAD_LETTERS, buildDeadLetter(stage, topic, record, failure));
    },
  };
}
