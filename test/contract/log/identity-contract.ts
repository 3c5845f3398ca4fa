import { describe, expect, it } from 'vitest';
import { IdentityMismatchError } from '../../../src/log/errors.ts';
import type { LogIdentity } from '../../../src/log/port.ts';
import { eachTestOwnsALog, IDENTITY, type LogFactory, TOPIC } from './log-fixture.ts';

const OTHERS: readonly [field: string, other: LogIdentity][] = [
  ['network', { ...IDENTITY, network: 'other' }],
  ['id', { ...IDENTITY, id: 'aa:cc' }],
  ['epochSize', { ...IDENTITY, epochSize: 11 }],
  ['lanes', { ...IDENTITY, lanes: 5 }],
  ['facts.continuity', { ...IDENTITY, facts: { continuity: 'gaps' } }],
  ['facts.continuity', { ...IDENTITY, facts: {} }],
  ['facts.start_lt', { ...IDENTITY, facts: { ...IDENTITY.facts, start_lt: '1' } }],
];

export function identityContract(factory: LogFactory): void {
  describe('identity', () => {
    const { fresh } = eachTestOwnsALog(factory);

    it('is null in a new log, which refuses writers and consumers', async () => {
      const bus = await (await fresh()).open();
      expect(await bus.identity()).toBeNull();
      await expect(bus.writer(TOPIC, 'a', 1000)).rejects.toThrow('identity');
      await expect(bus.consumer({ topic: TOPIC, group: 'g', owner: 'a', sessionMs: 1000 })).rejects.toThrow(
        'identity',
      );
    });

    it('is kept across restarts and may be established again as it is', async () => {
      const log = await fresh();
      const bus = await log.open();
      await bus.establish(IDENTITY);
      await bus.close();
      const again = await log.open();
      expect(await again.identity()).toEqual(IDENTITY);
      await again.establish({ ...IDENTITY, facts: { ...IDENTITY.facts } });
    });

    it.each(OTHERS)('names %s if it differs', async (field, other) => {
      const bus = await (await fresh()).open();
      await bus.establish(IDENTITY);
      const error = await bus.establish(other).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(IdentityMismatchError);
      expect(error).toMatchObject({ field });
      expect(await bus.identity()).toEqual(IDENTITY);
    });

    it('is the same for all processes that establish it at the same time', async () => {
      const log = await fresh();
      const buses = await Promise.all([log.open(), log.open(), log.open()]);
      const results = await Promise.allSettled(
        buses.map((bus, index) => bus.establish({ ...IDENTITY, id: `id-${index}` })),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await buses[0]?.identity()).toEqual(await buses[2]?.identity());
    });
  });
}
