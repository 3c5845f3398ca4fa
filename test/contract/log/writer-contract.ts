import { describe, expect, it } from 'vitest';
import { FencedError, LeaseHeldError } from '../../../src/log/errors.ts';
import {
  eachTestOwnsALog,
  keys,
  type LogFactory,
  pause,
  readLane,
  SESSION_MS,
  step,
  TOPIC,
} from './log-fixture.ts';

export function writerContract(factory: LogFactory): void {
  describe('writer', () => {
    const { bus: newBus, fresh } = eachTestOwnsALog(factory);

    it('resumes from the step with the highest position', async () => {
      const log = await fresh();
      const bus = await log.open();
      await bus.establish({ network: 'test', id: 'a', epochSize: 10, lanes: 4, facts: {} });
      const writer = await bus.writer(TOPIC, 'a', 1000);
      expect(await writer.tail()).toBeNull();
      await writer.append([step(51, 2), step(52, 3)]);
      await writer.append([step(7), step(8, 2)]);
      expect(await writer.tail()).toMatchObject({
        key: '52/2',
        position: 52,
        lane: 1,
        offset: 4,
        endsStep: true,
      });
      await writer.release();
      await bus.close();
      const next = await (await log.open()).writer(TOPIC, 'b', 1000);
      expect(await next.tail()).toMatchObject({ key: '52/2' });
    });

    it('is one at a time: another one gets the owner and the end of the lease', async () => {
      const bus = await newBus();
      const before = Date.now();
      await bus.writer(TOPIC, 'first', 5000);
      const error = await bus.writer(TOPIC, 'second', 5000).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(LeaseHeldError);
      if (!(error instanceof LeaseHeldError)) return;
      expect(error.owner).toBe('first');
      expect(error.expiresAt.getTime()).toBeGreaterThanOrEqual(before + 5000);
      await bus.writer('traces', 'second', 5000);
    });

    it('shows the owner and the end of the lease, also to other processes', async () => {
      const log = await fresh();
      const [one, two] = [await log.open(), await log.open()];
      await one.establish({ network: 'test', id: 'a', epochSize: 10, lanes: 4, facts: {} });
      expect(await two.writerLease(TOPIC)).toBeNull();
      const before = Date.now();
      const writer = await one.writer(TOPIC, 'first', 60_000);
      const lease = await two.writerLease(TOPIC);
      expect(lease).toMatchObject({ owner: 'first' });
      expect(lease?.expiresAt).toBeGreaterThanOrEqual(before + 60_000);
      await writer.release();
      expect(await two.writerLease(TOPIC)).toBeNull();
      await one.writer(TOPIC, 'second', 1);
      await pause(20);
      expect(await two.writerLease(TOPIC)).toBeNull();
    });

    it('hands over by release, with a newer generation; the old one is fenced', async () => {
      const bus = await newBus();
      const first = await bus.writer(TOPIC, 'first', 5000);
      await first.append([step(1)]);
      await first.release();
      await first.release();
      const second = await bus.writer(TOPIC, 'second', 5000);
      expect(second.lease.generation).toBeGreaterThan(first.lease.generation);
      await expect(first.append([step(2)])).rejects.toBeInstanceOf(FencedError);
      await expect(first.tail()).rejects.toBeInstanceOf(FencedError);
      await first.release();
      await second.append([step(3)]);
      expect(keys(await readLane(bus, TOPIC, 0))).toEqual(['1/0', '3/0']);
    });

    it('loses a lapsed lease to another, and writes nothing more', async () => {
      const log = await fresh();
      const [one, two] = [await log.open(), await log.open()];
      await one.establish({ network: 'test', id: 'a', epochSize: 10, lanes: 4, facts: {} });
      const first = await one.writer(TOPIC, 'first', 100);
      await first.append([step(1)]);
      await pause(150);
      const second = await two.writer(TOPIC, 'second', 5000);
      const error = await first.append([step(2)]).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(FencedError);
      expect(error).toMatchObject({ generation: first.lease.generation, current: second.lease.generation });
      await second.append([step(3)]);
      expect(keys(await readLane(one, TOPIC, 0))).toEqual(['1/0', '3/0']);
    });

    it('continues after a lapse if no other writer took over', async () => {
      const bus = await newBus();
      const writer = await bus.writer(TOPIC, 'a', 50);
      await pause(100);
      await writer.append([step(1)]);
      expect(await writer.tail()).toMatchObject({ position: 1 });
    });

    it('renews the lease with every append, an empty one too', async () => {
      const bus = await newBus();
      const writer = await bus.writer(TOPIC, 'a', SESSION_MS);
      for (let round = 0; round < 4; round++) {
        await pause(SESSION_MS / 2);
        await writer.append(round % 2 === 0 ? [] : [step(round)]);
      }
      await expect(bus.writer(TOPIC, 'b', SESSION_MS)).rejects.toBeInstanceOf(LeaseHeldError);
    });
  });
}
