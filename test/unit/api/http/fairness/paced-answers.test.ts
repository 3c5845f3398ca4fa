import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { paceAnswers } from '../../../../../src/api/http/fairness/paced-answers.ts';

const LONG = 'x'.repeat(3 * 1024 ** 2);

it('sends a few long answers in a turn of the event loop, in order, and short ones immediately', async () => {
  const app = fastify();
  let turn = 0;
  const counting = setInterval(() => {}, 1_000);
  const tick = () => {
    turn++;
    if (counting.hasRef()) setImmediate(tick);
  };
  setImmediate(tick);
  const sent: { readonly name: string; readonly turn: number }[] = [];
  paceAnswers(app);
  app.addHook('onSend', (request, _reply, _payload, done) => {
    sent.push({ name: request.url, turn });
    done();
  });
  const ready = Promise.withResolvers<void>();
  app.get('/long/:name', async () => {
    await ready.promise;
    return LONG;
  });
  app.get('/short', async () => 'y');
  const asked = Array.from({ length: 12 }, (_, name) => app.inject(`/long/${name}`));
  await new Promise((resolve) => setImmediate(resolve));
  ready.resolve();
  const short = app.inject('/short');
  const answers = await Promise.all(asked);
  expect((await short).body).toBe('y');
  counting.unref();
  for (const { body } of answers) expect(body.length).toBe(LONG.length);
  const long = sent.filter(({ name }) => name !== '/short');
  expect(long.map(({ name }) => name)).toEqual(Array.from({ length: 12 }, (_, name) => `/long/${name}`));
  const turns = Map.groupBy(long, (one) => one.turn);
  // 8 MB: the third answer of 3 MB goes beyond it.
  for (const [, of] of turns) expect(of.length).toBeLessThanOrEqual(3);
  const last = long.at(-1)!;
  expect(sent.find(({ name }) => name === '/short')!.turn).toBeLessThan(last.turn);
  await app.close();
});
