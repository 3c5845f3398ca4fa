import { expect, it, vi } from 'vitest';
import { Emulator } from '../../../src/tvm/emulator.ts';
import { openEngine } from './local-engine.ts';

const FUNDED = 60;

it('a step is made some transactions at a time: others are heard in between, and see the chain before it', async () => {
  const engine = await openEngine();
  await engine.resume(null);
  await engine.step();
  for (let byte = 0; byte < FUNDED; byte++)
    expect(engine.fund({ workchain: 0, address: new Uint8Array(32).fill(byte) }, 1_000_000_000n, '').ok).toBe(
      true,
    );
  const transact = vi.spyOn(Emulator.prototype, 'transact');
  const step = engine.step().then(({ mcSeqno }) => mcSeqno);
  const seen = new Set<number>();
  let made: number | null = null;
  while (made === null) {
    made = await Promise.race([step, new Promise<null>((resolve) => setImmediate(resolve, null))]);
    if (made === null && engine.status().mcSeqno === 1) seen.add(transact.mock.calls.length);
  }
  expect(made).toBe(2);
  const all = transact.mock.calls.length;
  expect(all).toBeGreaterThan(FUNDED);
  // In one go it would be none, then all of them.
  expect([...seen].filter((count) => count > 0 && count < all).length).toBeGreaterThan(2);
});
