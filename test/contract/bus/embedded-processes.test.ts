import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { LeaseHeldError } from '../../../src/platform/bus/errors.ts';
import type { Bus, LogRecord } from '../../../src/platform/bus/port.ts';
import { startWriter, type WritingChild } from './child-process.ts';
import { EVERYTHING, pause, readLane } from './log-fixture.ts';
import { SeededRandom } from './seeded-random.ts';
import { type TemporaryLog, temporaryLog } from './temporary-log.ts';
import { chainAppend, chainStep, IDENTITY, TOPIC } from './test-steps.ts';

const SESSION_MS = 200;
let log: TemporaryLog;
const children: WritingChild[] = [];

function start(seed: number, sessionMs = SESSION_MS): WritingChild {
  const child = startWriter(log.directory, seed, sessionMs);
  children.push(child);
  return child;
}

afterEach(async () => {
  for (const child of children.splice(0)) await child.kill();
  await log.dispose();
});

/** Asserts that the log holds the chain of the seed up to the end of an append; returns that position. */
async function expectChain(bus: Bus, seed: number): Promise<number> {
  const lanes: LogRecord[][] = [];
  for (let lane = 0; lane < IDENTITY.lanes; lane++) lanes.push(await readLane(bus, TOPIC, lane));
  for (const records of lanes)
    expect(records.map(({ offset }) => offset)).toEqual(records.map((_, index) => index));
  const all = lanes.flat().sort((a, b) => a.position - b.position || a.offset - b.offset);
  const end = (all.at(-1)?.position ?? -1) + 1;
  const wanted = Array.from({ length: end }, (_, position) => chainStep(seed, position)).flatMap((step) =>
    step.records.map((record, index) => ({ ...step, record, endsStep: index === step.records.length - 1 })),
  );
  expect(all).toHaveLength(wanted.length);
  for (const [index, { record, position, epoch, lane, endsStep }] of wanted.entries()) {
    const { key, headers, value, ...place } = all[index] as LogRecord;
    expect({ key, headers, ...place }).toMatchObject({
      key: record.key,
      headers: record.headers,
      position,
      epoch,
      lane,
      endsStep,
    });
    expect(Buffer.compare(value, record.value)).toBe(0);
  }
  let border = 0;
  while (border < end) border += chainAppend(seed, border).length;
  expect(border, 'the log ends within an append').toBe(end);
  return end;
}

describe('kill -9 of the writing process', () => {
  it.each([1, 2, 3])(
    'leaves a prefix of whole appends with all that were acknowledged, and writing resumes (seed %i)',
    async (seed) => {
      log = await temporaryLog();
      const random = new SeededRandom(seed);
      let reached = 0;
      for (let kill = 0; kill < 7; kill++) {
        // A connection that stays open keeps the dead writer's shared memory file; without one it is rebuilt.
        const observer = random.next() < 0.5 ? await log.open() : null;
        const child = start(seed);
        // One in four dies while it starts: in the first round, while it makes the files.
        if (random.next() < 0.75) {
          expect(await child.told('ready')).toBe(reached);
          child.process.send('stream');
          await child.told('appended');
          await pause(random.between(0, 120));
        } else await pause(random.between(60, 300));
        await child.kill();
        const bus = observer ?? (await log.open());
        const end = await expectChain(bus, seed);
        expect(end).toBeGreaterThanOrEqual(child.acknowledged());
        reached = end;
        await bus.close();
      }
    },
  );
});

describe('two processes on one directory', () => {
  it("show each other's appends within 50 ms", { retry: 2 }, async () => {
    log = await temporaryLog();
    const bus = await log.open();
    const child = start(5);
    await child.told('ready');
    const consumer = await bus.consumer({ topic: TOPIC, group: 'g', owner: 'parent', sessionMs: 60_000 });
    const leases = await consumer.claim();
    const next = leases.map(({ committed }) => committed);
    const seen: LogRecord[] = [];
    const delays: number[] = [];
    for (let round = 0; round < 30; round++) {
      child.process.send('append');
      const end = await child.told('appended');
      const durable = Date.now();
      while ((seen.at(-1)?.position ?? -1) < end - 1) {
        for (const { lane } of leases) {
          for (let batch: readonly LogRecord[]; ; ) {
            batch = await consumer.read(lane, next[lane] ?? 0, EVERYTHING);
            if (batch.length === 0) break;
            seen.push(...batch);
            next[lane] = (batch.at(-1)?.offset ?? 0) + 1;
          }
        }
        seen.sort((a, b) => a.position - b.position || a.offset - b.offset);
        if ((seen.at(-1)?.position ?? -1) < end - 1) await consumer.waitForData(10_000);
      }
      delays.push(Date.now() - durable);
    }
    expect(seen).toHaveLength((await bus.bounds(TOPIC)).reduce((sum, lane) => sum + lane.next, 0));
    expect(delays.sort((a, b) => a - b)[15]).toBeLessThanOrEqual(50);
  });

  it('wake a waiting consumer of the other process', { retry: 2 }, async () => {
    log = await temporaryLog();
    const bus = await log.open();
    const child = start(5);
    await child.told('ready');
    const consumer = await bus.consumer({ topic: TOPIC, group: 'g', owner: 'parent', sessionMs: 60_000 });
    const delays: number[] = [];
    for (let round = 0; round < 15; round++) {
      const woken = consumer.waitForData(10_000).then(() => Date.now());
      await pause(15);
      child.process.send('append');
      await child.told('appended');
      const durable = Date.now();
      delays.push((await woken) - durable);
    }
    expect(delays.sort((a, b) => a - b)[7]).toBeLessThanOrEqual(50);
  });

  it('fence a writer that was paused beyond its session', async () => {
    log = await temporaryLog();
    const bus = await log.open();
    const paused = start(6);
    await paused.told('ready');
    paused.process.send('append');
    const end = await paused.told('appended');
    await expect(bus.writer(TOPIC, 'parent', 1000)).rejects.toBeInstanceOf(LeaseHeldError);
    paused.process.kill('SIGSTOP');
    await pause(SESSION_MS + 100);
    const writer = await bus.writer(TOPIC, 'parent', 60_000);
    expect(await writer.tail()).toMatchObject({ position: end - 1 });
    const steps = chainAppend(6, end);
    await writer.append(steps);
    const exited = once(paused.process, 'exit');
    paused.process.send('append');
    paused.process.kill('SIGCONT');
    expect((await exited)[0]).toBe(3);
    expect(await expectChain(bus, 6)).toBe(end + steps.length);
  });
});
