import { expect, it } from 'vitest';
import { Feed } from '../../../../src/api/streaming/feed.ts';
import { getStepEnd } from '../../../../src/api/streaming/position.ts';
import { readSubscription, SSE_WORDS } from '../../../../src/api/streaming/read-subscription.ts';
import { recordedStatements } from '../../../helpers/recorded-statements.ts';
import { storelessContext } from '../../../helpers/storeless-context.ts';
import { baseVector, viewOf } from '../../../helpers/version-vector.ts';

it('a feed asks what traces changed before the blocks of the step are there', async () => {
  const recorded = recordedStatements();
  const context = storelessContext();
  const vector = {
    ...baseVector('base_test', { first: 1, last: 5 }),
    traces: viewOf('traces_test', { first: 1, last: 6 }),
  };
  const feed = new Feed({ ...context, client: recorded.client(context.client), vector: () => vector }, [
    'base',
    'traces',
  ]);
  const subscription = readSubscription(
    { types: ['transactions'], addresses: [`0:${'0'.repeat(64)}`] },
    { words: SSE_WORDS, mostAddresses: 1, actionsVersion: null },
  );
  const receiver = {
    client: 'test',
    hasRoom: true,
    send: () => expect.unreachable('no block is visible'),
    ready: async () => {},
    tooSlow: () => {},
  };
  const subscriber = feed.subscribe(subscription, receiver, getStepEnd(5));
  const asked: string[] = [];
  await expect.poll(() => asked.push(...recorded.take())).toBeGreaterThan(1);
  feed.unsubscribe(subscriber);
  expect(asked.every((sql) => sql.includes('traces_test.'))).toBe(true);
});
