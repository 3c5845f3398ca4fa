import { describe, expect, it } from 'vitest';
import { RepairGate } from '../../../../src/platform/clickhouse/sink/repair-gate.ts';

/** Work that runs until it is let go, and says what it did. */
function held(said: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = async () => {
    said.push(`${name} begins`);
    await promise;
    said.push(`${name} ends`);
  };
  return { work, letGo: resolve };
}

const turns = async () => {
  for (let i = 0; i < 20; i++) await Promise.resolve();
};

describe('repair gate', () => {
  it('lets inserts run side by side', async () => {
    const gate = new RepairGate();
    const said: string[] = [];
    const [a, b] = [held(said, 'a'), held(said, 'b')];
    const both = [gate.insert(a.work), gate.insert(b.work)];
    await turns();
    expect(said).toEqual(['a begins', 'b begins']);
    a.letGo();
    b.letGo();
    await Promise.all(both);
  });

  it('keeps a repair apart from inserts and from other repairs, and lets it go before later inserts', async () => {
    const gate = new RepairGate();
    const said: string[] = [];
    const parts = ['insert 1', 'repair 1', 'repair 2', 'insert 2'].map((name) => held(said, name));
    const all = parts.map(({ work }, i) => (i === 0 || i === 3 ? gate.insert(work) : gate.repair(work)));
    for (const { letGo } of parts) {
      await turns();
      letGo();
    }
    await Promise.all(all);
    expect(said).toEqual(
      ['insert 1', 'repair 1', 'repair 2', 'insert 2'].flatMap((name) => [`${name} begins`, `${name} ends`]),
    );
  });

  it('goes on after work that failed', async () => {
    const gate = new RepairGate();
    const fail = async () => {
      throw new RangeError('no');
    };
    await expect(gate.insert(fail)).rejects.toThrow(RangeError);
    await expect(gate.repair(fail)).rejects.toThrow(RangeError);
    expect(await gate.repair(async () => 1)).toBe(1);
    expect(await gate.insert(async () => 2)).toBe(2);
  });
});
