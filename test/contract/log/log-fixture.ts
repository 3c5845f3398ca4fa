import { afterEach } from 'vitest';
import type { Bus, LogRecord } from '../../../src/log/port.ts';
import type { LogPlace } from './open-place.ts';
import { IDENTITY } from './test-steps.ts';

export { IDENTITY, laneOf, randomStep, record, step, TOPIC } from './test-steps.ts';

/** A log that a test owns: opened as often as it likes, gone at its end. */
export interface LogUnderTest {
  readonly place: LogPlace;
  /** Another connection to the same log, as another process would have it. */
  open(): Promise<Bus>;
  /** Closes what is open and deletes the log. */
  dispose(): Promise<void>;
}

export type LogFactory = () => Promise<LogUnderTest>;

/** Long enough for a loaded machine to claim in time, short enough to wait for its end. */
export const SESSION_MS = 400;
export const EVERYTHING = { records: 1_000_000, bytes: 1_000_000_000 };

/** One log for each test of the suite around it, with the identity above; gone after the test. */
export function eachTestOwnsALog(factory: LogFactory): {
  fresh(): Promise<LogUnderTest>;
  bus(): Promise<Bus>;
} {
  const owned: LogUnderTest[] = [];
  afterEach(async () => {
    for (const log of owned.splice(0)) await log.dispose();
  });
  const fresh = async () => {
    const log = await factory();
    owned.push(log);
    return log;
  };
  const bus = async () => {
    const opened = await (await fresh()).open();
    await opened.establish(IDENTITY);
    return opened;
  };
  return { fresh, bus };
}

export const keys = (records: readonly LogRecord[]) => records.map(({ key }) => key);
export const offsets = (records: readonly LogRecord[]) => records.map(({ offset }) => offset);

/** All records of a lane, by as many reads as it takes. */
export async function readLane(bus: Bus, topic: string, lane: number): Promise<LogRecord[]> {
  const all: LogRecord[] = [];
  for (let from = 0; ; ) {
    const batch = await bus.read(topic, lane, from, EVERYTHING);
    const last = batch.at(-1);
    if (!last) return all;
    all.push(...batch);
    from = last.offset + 1;
  }
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
