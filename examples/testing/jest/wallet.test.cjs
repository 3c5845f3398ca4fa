/** Jest, without Babel or ES modules: funds an account and moves the time. Run: `npx jest`. */
const { startLocalnet } = require('tonhouse/testing');
const { afterAll, beforeAll, expect, it } = require('@jest/globals');

const RECEIVER = `0:${'6'.repeat(64)}`;
let chain;

beforeAll(async () => {
  chain = await startLocalnet();
}, 600_000);
afterAll(() => chain?.stop(), 600_000);

it('funds an account', async () => {
  await chain.fund(RECEIVER, 250_000_000n, 'for the test');
  const answer = await fetch(`${chain.apiV3}/addressInformation?address=${RECEIVER}`);
  expect((await answer.json()).balance).toBe('250000000');
}, 600_000);

it('moves the time of the chain', async () => {
  const { utime } = await chain.warp(604_800);
  expect(utime - Date.now() / 1000).toBeGreaterThan(604_000);
}, 600_000);
