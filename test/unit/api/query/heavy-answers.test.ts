import { expect, it } from 'vitest';
import { HEAVY_SLOTS, runInTurn } from '../../../../src/api/query/admission.ts';
import type { ServeContext } from '../../../../src/api/serve-context.ts';
import { testCaller } from '../../../helpers/test-caller.ts';

it('runs a few statements of heavy answers at a time, and those of others meanwhile', async () => {
  const context = { settings: { storeStatements: HEAVY_SLOTS + 3 } } as ServeContext;
  const begun: string[] = [];
  const gates: (() => void)[] = [];
  const ask = (client: string, isHeavy: boolean) =>
    runInTurn(context, { caller: testCaller({ client }), begun: false, isHeavy }, async () => {
      begun.push(client);
      await new Promise<void>((resolve) => gates.push(resolve));
    });
  const heavy = Array.from({ length: HEAVY_SLOTS + 4 }, (_, at) => ask(`heavy ${at}`, true));
  const light = [ask('light', false), ask('light', false)];
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun.filter((client) => client === 'light')).toHaveLength(2);
  expect(begun).toHaveLength(HEAVY_SLOTS + 2);
  const all = Promise.all([...heavy, ...light]);
  while (begun.length < HEAVY_SLOTS + 6 || gates.length > 0) {
    gates.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await all;
});
