import { expect, it } from 'vitest';
import { Slots } from '../../../../src/api/streaming/slots.ts';

it('lets so many run, and clients that wait take turns', async () => {
  const slots = new Slots(1);
  const begun: string[] = [];
  const first = Promise.withResolvers<void>();
  const run = (client: string) =>
    slots.run(client, async () => {
      begun.push(client);
      if (begun.length === 1) await first.promise;
    });
  const all = ['a', 'a', 'a', 'b'].map(run);
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toEqual(['a']);
  first.resolve();
  await Promise.all(all);
  expect(begun).toEqual(['a', 'a', 'b', 'a']);
});

it('gives the place of one that failed to the next', async () => {
  const slots = new Slots(1);
  const failed = slots.run('a', () => Promise.reject(new Error('no')));
  const next = slots.run('a', async () => 'done');
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('done');
});
