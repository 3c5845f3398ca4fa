import type { Bus, LogRecord, NewRecord, ReadLimit } from '../../log/port.ts';
import { DEAD_LETTERS } from './dead-letter-sink.ts';

/** One thing that could not be used, however often it was tried. */
export interface DeadLetter {
  /** Offset of its newest dead letter in the topic `dead-letters`. */
  readonly id: number;
  readonly key: string;
  readonly stage: string;
  readonly code: string;
  readonly error: string;
  readonly at: string;
  readonly tries: number;
  readonly record: LogRecord;
}

const SOME = { records: 1_000, bytes: 16 << 20 } as const;

/** Header of the record that settles a dead letter. */
export const RESOLVES = 'resolves';

/** Identity of a dead letter: the stage, and the place that the bytes came from. */
export function getIdentity({ key, headers }: LogRecord): string {
  const { stage = '', topic = '', lane = '', offset = '', origin = '' } = headers;
  return [stage, topic, lane, offset, origin, key].join('|');
}

/** The dead letters that are still open, oldest first. */
export async function openDeadLetters(bus: Bus): Promise<DeadLetter[]> {
  const open = new Map<string, DeadLetter>();
  for await (const record of deadLettersFrom(bus, 0)) {
    const resolves = record.headers[RESOLVES];
    if (resolves !== undefined) {
      open.delete(resolves);
      continue;
    }
    const identity = getIdentity(record);
    const { stage = '', code = '', error = '', at = '' } = record.headers;
    const tries = (open.get(identity)?.tries ?? 0) + 1;
    open.set(identity, { id: record.offset, key: record.key, stage, code, error, at, tries, record });
  }
  return [...open.values()];
}

/** The record that settles a dead letter. */
export function resolution({ key, record }: DeadLetter): NewRecord {
  return { key, headers: { [RESOLVES]: getIdentity(record) }, value: new Uint8Array() };
}

/** Settles a dead letter: it stays in the log, and is no longer open. */
export async function resolveDeadLetter(bus: Bus, deadLetter: DeadLetter): Promise<void> {
  await bus.put(DEAD_LETTERS, resolution(deadLetter));
}

/** Records of the topic from an offset on: dead letters and their settlements; on demand without their bytes. */
export async function* deadLettersFrom(
  bus: Bus,
  from: number,
  { withoutValues = false }: Pick<ReadLimit, 'withoutValues'> = {},
): AsyncGenerator<LogRecord> {
  if (!(await bus.topics()).includes(DEAD_LETTERS)) return;
  for (let next = from; ; ) {
    const records = await bus.read(DEAD_LETTERS, 0, next, { ...SOME, withoutValues });
    if (records.length === 0) return;
    yield* records;
    next = records[records.length - 1]!.offset + 1;
  }
}
