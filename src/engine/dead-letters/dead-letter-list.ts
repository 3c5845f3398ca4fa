import type { Bus, LogRecord, NewRecord } from '../../log/port.ts';
import { DEAD_LETTERS } from './dead-letter-sink.ts';

/** One thing that could not be used, however often it was tried. */
export interface DeadLetter {
  /** Offset of its newest letter in the topic `dead-letters`. */
  readonly id: number;
  readonly key: string;
  readonly stage: string;
  readonly code: string;
  readonly error: string;
  readonly at: string;
  readonly tries: number;
  readonly record: LogRecord;
}

/** Header of the record that settles a letter. */
export const RESOLVES = 'resolves';

/** What makes two letters the same: the stage and the place that the bytes came from. */
export function identityOf({ key, headers }: LogRecord): string {
  const { stage = '', topic = '', lane = '', offset = '', origin = '' } = headers;
  return [stage, topic, lane, offset, origin, key].join('|');
}

/** The letters that are still open, oldest first. */
export async function openDeadLetters(bus: Bus): Promise<DeadLetter[]> {
  const open = new Map<string, DeadLetter>();
  for await (const record of lettersFrom(bus, 0)) {
    const resolves = record.headers[RESOLVES];
    if (resolves !== undefined) {
      open.delete(resolves);
      continue;
    }
    const identity = identityOf(record);
    const { stage = '', code = '', error = '', at = '' } = record.headers;
    const tries = (open.get(identity)?.tries ?? 0) + 1;
    open.set(identity, { id: record.offset, key: record.key, stage, code, error, at, tries, record });
  }
  return [...open.values()];
}

/** The record that settles a letter. */
export function resolution({ key, record }: DeadLetter): NewRecord {
  return { key, headers: { [RESOLVES]: identityOf(record) }, value: new Uint8Array() };
}

/** Says that a letter is settled: it stays in the log, and is no longer open. */
export async function resolveDeadLetter(bus: Bus, letter: DeadLetter): Promise<void> {
  await bus.put(DEAD_LETTERS, resolution(letter));
}

/** The records of the topic from an offset on: letters, and what settles them. */
export async function* lettersFrom(bus: Bus, from: number): AsyncGenerator<LogRecord> {
  if (!(await bus.topics()).includes(DEAD_LETTERS)) return;
  for (let next = from; ; ) {
    const records = await bus.read(DEAD_LETTERS, 0, next, { records: 1_000, bytes: 16 << 20 });
    if (records.length === 0) return;
    yield* records;
    next = records[records.length - 1]!.offset + 1;
  }
}
