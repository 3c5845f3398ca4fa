import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { addHealthRoutes } from '../../../../src/api/http/health-routes.ts';
import { storelessContext } from '../../../helpers/storeless-context.ts';

const WAIT = 'capture waits for the lease of a:1 on the log';

it('health routes name what a stage waits for, with 503', async () => {
  const context = storelessContext();
  const app = Fastify();
  onTestFinished(() => app.close());
  const clock = { head: async () => null } as never;
  // The store answers: only the stage is not ready.
  const client = { ping: async () => true } as typeof context.client;
  addHealthRoutes(app, { ...context, client, waits: () => WAIT }, clock);
  const ready = await app.inject('/readyz');
  expect([ready.statusCode, ready.body]).toEqual([503, WAIT]);
  const health = await app.inject('/healthz');
  expect(health.json()).toMatchObject({ status: WAIT });
});
