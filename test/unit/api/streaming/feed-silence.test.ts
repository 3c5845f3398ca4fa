import { expect, it } from 'vitest';
import { Feed } from '../../../../src/api/streaming/feed.ts';
import { getStepEnd } from '../../../../src/api/streaming/position.ts';
import { readSubscription, SSE_WORDS } from '../../../../src/api/streaming/read-subscription.ts';
import { storelessContext } from '../../../helpers/storeless-context.ts';
import { baseVector } from '../../../helpers/version-vector.ts';

it('a feed is silent while it cannot read new blocks, and no longer once it has nothing to read', async () => {
  let last = 5;
  const context = { ...storelessContext(), vector: () => baseVector('none_test', { first: 1, last }) };
  const feed = new Feed(context, ['base']);
  expect(feed.silentMs).toBe(0);
  const subscription = readSubscription(
    { types: ['account_state_change'], addresses: [`0:${'0'.repeat(64)}`] },
    { words: SSE_WORDS, mostAddresses: 1, actionsVersion: null },
  );
  const receiver = {
    client: 'test',
    hasRoom: true,
    send: () => expect.unreachable('no block is read'),
    ready: async () => {},
    tooSlow: () => {},
  };
  const subscriber = feed.subscribe(subscription, receiver, getStepEnd(last));
  last = 6;
  // Three attempts at a store without a listener.
  await expect.poll(() => feed.silentMs).toBeGreaterThan(1_600);
  last = 5;
  await expect.poll(() => feed.silentMs).toBeLessThan(1_600);
  feed.unsubscribe(subscriber);
  expect(feed.silentMs).toBe(0);
});
