import { setTimeout as sleep } from 'node:timers/promises';
import { BASE } from '../../../pipelines/base.ts';
import { LeaseHeldError } from '../../../src/log/errors.ts';
import type { Bus, LogRecord, LogWriter, NewStep } from '../../../src/log/port.ts';
import { SeededRandom } from '../../contract/log/seeded-random.ts';
import type { Fault } from './chaos-plan.ts';
import type { Scene } from './inflict.ts';

/** Whole steps are appended again: so many at most. */
const MAX_STEPS = 12;
/** How long it waits for something to deliver again. */
const FIRST_STEPS_MS = 20_000;
const EVERYTHING = { records: 100_000, bytes: 64 << 20 };

/**
 * Acts as a producer without memory: with capture's lease, it appends steps that the log already has, in another order,
 * with the shard blocks of a step in another order too, in several transactions.
 */
export async function deliverAgain(scene: Scene, { choice }: Fault): Promise<boolean> {
  const { stages, sessionMs } = scene;
  const bus = await stages.openBus();
  try {
    const deadline = Date.now() + FIRST_STEPS_MS;
    while ((await wholeSteps(bus)).length === 0 && Date.now() < deadline) await sleep(100);
    if (!stages.captureIsDone) await stages.capture.hold();
    const steps = await wholeSteps(bus);
    if (steps.length === 0) return false;
    const writer = await takeWriter(bus, sessionMs, scene.signal);
    const random = new SeededRandom(choice);
    const count = random.between(1, Math.min(MAX_STEPS, steps.length));
    for (let i = 0; i < count; i++) {
      const step = random.pick(steps);
      // A step ends with its masterchain block, from which capture goes on.
      const records = [...shuffled(step.records.slice(0, -1), random), ...step.records.slice(-1)];
      await writer.append([{ ...step, records }]);
      stages.copies += records.length;
    }
    await writer.release();
    return true;
  } finally {
    await bus.close();
    stages.capture.release();
  }
}

async function wholeSteps(bus: Bus): Promise<NewStep[]> {
  const steps = new Map<number, LogRecord[]>();
  for (const { lane, first } of await bus.bounds(BASE.reads))
    for (const record of await readLane(bus, BASE.reads, lane, first))
      steps.set(record.position, [...(steps.get(record.position) ?? []), record]);
  return [...steps].map(([position, all]) => {
    const records = [...new Map(all.map((record) => [record.key, record])).values()];
    const { epoch, lane } = records[0] as LogRecord;
    return { position, epoch, lane, records: records.map(plain) };
  });
}

/** All records of a lane, epoch after epoch. */
export async function readLane(bus: Bus, topic: string, lane: number, first: number): Promise<LogRecord[]> {
  const all: LogRecord[] = [];
  for (let from = first; ; ) {
    const records = await bus.read(topic, lane, from, EVERYTHING);
    const last = records.at(-1);
    if (!last) return all;
    all.push(...records);
    from = last.offset + 1;
  }
}

const plain = ({ key, headers, value }: LogRecord) => ({ key, headers, value });

async function takeWriter(bus: Bus, sessionMs: number, signal: AbortSignal): Promise<LogWriter> {
  for (;;) {
    try {
      return await bus.writer(BASE.reads, 'chaos', sessionMs);
    } catch (error) {
      if (!(error instanceof LeaseHeldError)) throw error;
      await sleep(100, undefined, { signal });
    }
  }
}

function shuffled<T>(list: readonly T[], random: SeededRandom): T[] {
  return list
    .map((item) => ({ item, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
