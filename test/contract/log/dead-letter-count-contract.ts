import { describe, expect, it, vi } from 'vitest';
import { DeadLetterCount } from '../../../src/engine/dead-letters/dead-letter-count.ts';
import { openDeadLetters, resolveDeadLetter } from '../../../src/engine/dead-letters/dead-letter-list.ts';
import type { Bus, LogRecord } from '../../../src/log/port.ts';
import { eachTestOwnsALog, type LogFactory } from './log-fixture.ts';

const LETTERS = 'dead-letters';
const put = (bus: Bus, offset: number) =>
  bus.put(LETTERS, {
    key: 'block',
    headers: { stage: 'decode', topic: 'raw-blocks', lane: '0', offset: `${offset}`, code: 'X' },
    value: new Uint8Array(10_000),
  });

/** Counts open dead letters: a counted one is not read again, whoever wrote it. */
export function deadLetterCountContract(factory: LogFactory): void {
  describe('the number of dead letters', () => {
    const { fresh, bus } = eachTestOwnsALog(factory);

    it('is none in a log without letters', async () => {
      expect(await new DeadLetterCount(await bus()).read()).toBe(0);
    });

    it('follows what is put and what is settled, and reads each record once', async () => {
      const log = await bus();
      const count = new DeadLetterCount(log);
      for (const offset of [1, 2, 3]) await put(log, offset);
      // The same letter again is no other one.
      await put(log, 3);
      const read = vi.spyOn(log, 'read');
      expect(await count.read()).toBe(3);
      expect(read).toHaveBeenCalled();
      // Their bytes are not read.
      const records: LogRecord[] = (await Promise.all(read.mock.results.map(({ value }) => value))).flat();
      expect(records.map(({ key, value }) => [key, value.byteLength])).toEqual(Array(4).fill(['block', 0]));
      read.mockClear();
      expect([await count.read(), await count.read()]).toEqual([3, 3]);
      expect(read).not.toHaveBeenCalled();

      const end = await put(log, 4);
      expect(await count.read()).toBe(4);
      expect(read.mock.calls.map(([, , from]) => from)).toEqual([end, end + 1]);
      await resolveDeadLetter(log, (await openDeadLetters(log))[0]!);
      expect(await count.read()).toBe(3);
      expect(await openDeadLetters(log)).toHaveLength(3);
    });

    it('sees letters of other processes', async () => {
      const one = await fresh();
      const [here, there] = [await one.open(), await one.open()];
      await here.establish({ network: 'n', id: 'i', epochSize: 10, lanes: 2, facts: {} });
      const count = new DeadLetterCount(here);
      expect(await count.read()).toBe(0);
      await put(there, 1);
      await vi.waitFor(async () => expect(await count.read()).toBe(1), { timeout: 60_000 });
    });
  });
}
