import { expect, it } from 'vitest';
import type { EngineClient } from '../../../src/localnet/engine/engine-client.ts';
import { startEngine } from './local-engine.ts';

const FUNDED = { workchain: 0, address: new Uint8Array(32).fill(5) };

/** A chain in a thread of its own, with one step made. */
async function start(): Promise<EngineClient> {
  const client = await startEngine();
  await client.call('resume', null);
  await client.call('step');
  return client;
}

it('who looks does not wait until a step is written, and sees the chain before it', async () => {
  const client = await start();
  const answers: [string, number][] = [];
  await Promise.all([
    client.call('step').then(({ mcSeqno }) => answers.push(['step', mcSeqno])),
    client.call('view', null, null).then((view) => answers.push(['view', view!.block.seqno])),
    client.call('status').then(({ mcSeqno }) => answers.push(['status', mcSeqno])),
  ]);
  expect(answers).toEqual([
    ['view', 1],
    ['status', 1],
    ['step', 2],
  ]);
});

it('what is sent while a step is written is in the next', async () => {
  const client = await start();
  await Promise.all([client.call('step'), client.call('fund', FUNDED, 1_000_000_000n, 'kept')]);
  expect(await client.call('status')).toMatchObject({ mcSeqno: 2, pending: 1 });
  await client.call('step');
  expect((await client.call('view', FUNDED, null))!.shardAccount).not.toBe(null);
});
