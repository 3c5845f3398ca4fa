import type { Bus, LogRecord, NewStep } from '../../src/log/port.ts';

const TOPIC = 'raw-blocks';

/** All steps of a log, in the order of their positions. */
export async function readSteps(bus: Bus): Promise<readonly NewStep[]> {
  const steps: NewStep[] = [];
  for (const { lane, first, next } of await bus.bounds(TOPIC)) {
    const records: LogRecord[] = [];
    for (let at = first; at < next; at = (records.at(-1)?.offset ?? at) + 1)
      records.push(...(await bus.read(TOPIC, lane, at, { records: 1_000, bytes: 64 << 20 })));
    for (const step of Map.groupBy(records, ({ position }) => position).values()) {
      const { position, epoch } = step[0] as LogRecord;
      steps.push({
        position,
        epoch,
        lane,
        records: step.map(({ key, headers, value }) => ({ key, headers, value })),
      });
    }
  }
  return steps.sort((a, b) => a.position - b.position);
}

/** Appends steps as capture does, some at a time; `pause` comes between. */
export async function appendSteps(
  bus: Bus,
  steps: readonly NewStep[],
  atOnce: number,
  pause: () => Promise<void> = async () => {},
): Promise<void> {
  const writer = await bus.writer(TOPIC, 'copy', 60_000);
  try {
    for (let at = 0; at < steps.length; at += atOnce) {
      await writer.append(steps.slice(at, at + atOnce));
      await pause();
    }
  } finally {
    await writer.release();
  }
}
