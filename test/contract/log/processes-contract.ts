import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { LeaseHeldError } from '../../../src/log/errors.ts';
import type { Bus, LogRecord } from '../../../src/log/port.ts';
import { type LogChild, startConsumer, startWriter } from './child-process.ts';
import { EVERYTHING, type LogFactory, type LogUnderTest, offsets, pause, readLane } from './log-fixture.ts';
import { SeededRandom } from './seeded-random.ts';
import { chainAppend, chainStep, IDENTITY, TOPIC } from './test-steps.ts';

/** An append is seen by another process before, at the median: by far not only when the wait for it is over. */
const SEEN_MS = 10_000;
const WAIT_MS = 120_000;
/** Session of a process that is paused: long enough to be held until then on a busy machine. */
const PAUSED_MS = 4_000;

export interface ProcessTimes {
  /** Session of the writing child. */
  readonly sessionMs: number;
  /** Seeds of the killed writers, and how often each is killed. */
  readonly seeds: readonly number[];
  readonly kills: number;
}

/** Asserts that the log holds the chain of the seed up to the end of an append; returns that position. */
async function expectChain(bus: Bus, seed: number): Promise<number> {
  const lanes: LogRecord[][] = [];
  for (let lane = 0; lane < IDENTITY.lanes; lane++) lanes.push(await readLane(bus, TOPIC, lane));
  for (const records of lanes)
    expect(offsets(records)).toEqual([...new Set(offsets(records))].sort((a, b) => a - b));
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

/** Requirements between processes: on one log, written by children that are killed and paused. */
export function processesContract(
  name: string,
  factory: LogFactory,
  { sessionMs, seeds, kills }: ProcessTimes,
): void {
  let log: LogUnderTest;
  const children: LogChild[] = [];

  function start(seed: number, session = sessionMs): LogChild {
    const child = startWriter(log.place, seed, session);
    children.push(child);
    return child;
  }

  describe(`${name}, between processes`, () => {
    afterEach(async () => {
      for (const child of children.splice(0)) await child.kill();
      await log.dispose();
    });

    describe('kill -9 of the writing process', () => {
      it.each(seeds)(
        'leaves a prefix of whole appends with all that were acknowledged, and writing resumes (seed %i)',
        async (seed) => {
          log = await factory();
          const random = new SeededRandom(seed);
          let reached = 0;
          for (let kill = 0; kill < kills; kill++) {
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

    describe('two processes on one log', () => {
      it("show each other's appends soon", async () => {
        log = await factory();
        const bus = await log.open();
        const child = start(5);
        await child.told('ready');
        const consumer = await bus.consumer({ topic: TOPIC, group: 'g', owner: 'parent', sessionMs: 60_000 });
        const leases = await consumer.claim();
        const next = leases.map(({ committed }) => committed);
        const seen: LogRecord[] = [];
        const delays: number[] = [];
        for (let round = 0; round < 12; round++) {
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
            if ((seen.at(-1)?.position ?? -1) < end - 1) await consumer.waitForData(WAIT_MS);
          }
          delays.push(Date.now() - durable);
        }
        const steps = (seen.at(-1)?.position ?? -1) + 1;
        const written = Array.from({ length: steps }, (_, position) => chainStep(5, position).records.length);
        expect(seen).toHaveLength(written.reduce((sum, count) => sum + count, 0));
        expect(delays.sort((a, b) => a - b)[6]).toBeLessThan(SEEN_MS);
      });

      it('wake a waiting consumer of the other process', async () => {
        log = await factory();
        const bus = await log.open();
        const child = start(5);
        await child.told('ready');
        const consumer = await bus.consumer({ topic: TOPIC, group: 'g', owner: 'parent', sessionMs: 60_000 });
        const delays: number[] = [];
        for (let round = 0; round < 7; round++) {
          const woken = consumer.waitForData(WAIT_MS).then(() => Date.now());
          await pause(15);
          child.process.send('append');
          await child.told('appended');
          const durable = Date.now();
          delays.push((await woken) - durable);
        }
        expect(delays.sort((a, b) => a - b)[3]).toBeLessThan(SEEN_MS);
      });

      it('fence a consumer that was paused beyond its session', async () => {
        log = await factory();
        const bus = await log.open();
        await bus.establish(IDENTITY);
        await (await bus.writer(TOPIC, 'w', 60_000)).append([chainStep(8, 0)]);
        const paused = startConsumer(log.place, PAUSED_MS);
        children.push(paused);
        expect(await paused.told('ready')).toBe(IDENTITY.lanes);
        paused.process.kill('SIGSTOP');
        await pause(PAUSED_MS + 100);
        const other = await bus.consumer({ topic: TOPIC, group: 'g', owner: 'parent', sessionMs: 60_000 });
        const [lease] = await other.claim();
        const exited = once(paused.process, 'exit');
        paused.process.send('confirm');
        paused.process.kill('SIGCONT');
        expect((await exited)[0]).toBe(3);
        if (!lease) throw new Error('the lanes were not taken over');
        expect(await other.pending(lease)).toBeNull();
      });

      it('fence a writer that was paused beyond its session', async () => {
        log = await factory();
        const bus = await log.open();
        const paused = start(6, PAUSED_MS);
        await paused.told('ready');
        paused.process.send('append');
        const end = await paused.told('appended');
        await expect(bus.writer(TOPIC, 'parent', 1000)).rejects.toBeInstanceOf(LeaseHeldError);
        paused.process.kill('SIGSTOP');
        await pause(PAUSED_MS + 100);
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
  });
}
