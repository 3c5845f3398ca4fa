import { expect, it } from 'vitest';
import type { Flow } from '../../page/run-flow.ts';
import { runFlows } from '../../page/run-flows.ts';
import { withLimit } from '../../page/with-limit.ts';

const toFlow = (name: string): Flow => ({ name, isAlone: name.startsWith('alone'), run: async () => {} });

it('runs flows some at a time, and one that is alone without others', async () => {
  const names = ['a', 'b', 'c', 'd', 'alone 1', 'alone 2', 'e', 'f'];
  const running = new Set<string>();
  const begun: string[] = [];
  let most = 0;
  await runFlows(names.map(toFlow), 3, async ({ name, isAlone }) => {
    begun.push(name);
    running.add(name);
    most = Math.max(most, running.size);
    if (isAlone) expect([...running]).toEqual([name]);
    for (let turn = 0; turn < 5; turn++) {
      await new Promise(setImmediate);
      if (isAlone) expect([...running]).toEqual([name]);
    }
    running.delete(name);
  });
  expect(begun).toEqual(names);
  expect(most).toBe(3);
});

it('ends with work that never ends', async () => {
  const never = new Promise<void>(() => {});
  await expect(withLimit(never, 20)).rejects.toThrow('expected an end within 0.02 s');
  expect(await withLimit(Promise.resolve(7), 60_000)).toBe(7);
});
