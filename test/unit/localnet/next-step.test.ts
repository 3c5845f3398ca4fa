import { expect, it } from 'vitest';
import { nextStep } from '../../../src/localnet/next-step.ts';
import { startEngine } from './local-engine.ts';

async function start() {
  const client = await startEngine();
  const errors: object[] = [];
  const log = { debug() {}, info() {}, warn() {}, error: (facts: object) => void errors.push(facts) };
  return { client, errors, log };
}

it('a step that fails is reported and retried until it succeeds', async () => {
  const { client, errors, log } = await start();
  const step = nextStep(client, log, new AbortController().signal);
  // No step can be made before this.
  while (errors.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  await client.call('resume', null);
  expect(await step).toMatchObject({ mcSeqno: 1, unexecuted: [], snapshotError: null });
  expect(errors[0]).toMatchObject({ attempt: 1, error: { engineError: 'NotStartedError' } });
});

it('a step that fails ends immediately with the signal', async () => {
  const { client, errors, log } = await start();
  const controller = new AbortController();
  const step = nextStep(client, log, controller.signal).catch((error: unknown) => error);
  while (errors.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  controller.abort();
  expect(await step).toBeInstanceOf(Error);
});

it('a step ends with the thread that makes it', async () => {
  const { client, log } = await start();
  await client.close();
  await expect(nextStep(client, log, new AbortController().signal)).rejects.toThrow(/thread ended/);
});
