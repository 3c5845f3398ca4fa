import { expect, it } from 'vitest';
import { HEAVY_SLOTS, runInTurn } from '../../../../src/api/query/admission.ts';
import { Feed } from '../../../../src/api/streaming/feed.ts';
import { getStepEnd } from '../../../../src/api/streaming/position.ts';
import { readSubscription, SSE_WORDS } from '../../../../src/api/streaming/read-subscription.ts';
import { recordedStatements } from '../../../helpers/recorded-statements.ts';
import { storelessContext } from '../../../helpers/storeless-context.ts';
import { testCaller } from '../../../helpers/test-caller.ts';
import { baseVector } from '../../../helpers/version-vector.ts';

it('events of the past wait for the turn of heavy answers, so that look-ups still find room', async () => {
  const recorded = recordedStatements();
  const made = storelessContext();
  const vector = baseVector('base_test', { first: 1, last: 5 });
  const context = { ...made, client: recorded.client(made.client), vector: () => vector };
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const others = Array.from({ length: HEAVY_SLOTS }, () =>
    runInTurn(context, { caller: testCaller(), begun: false, isHeavy: true }, () => ended),
  );
  const feed = new Feed(context, ['base']);
  const subscription = readSubscription(
    { types: ['transactions'], addresses: [`0:${'0'.repeat(64)}`] },
    { words: SSE_WORDS, mostAddresses: 1, actionsVersion: null },
  );
  const receiver = {
    client: 'test',
    hasRoom: true,
    send: () => {},
    ready: async () => {},
    tooSlow: () => {},
  };
  const subscriber = feed.subscribe(subscription, receiver, getStepEnd(1));
  const asked: string[] = [];
  await new Promise((resolve) => setTimeout(resolve, 200));
  asked.push(...recorded.take());
  expect(asked).toEqual([]);
  end();
  await Promise.all(others);
  await expect.poll(() => asked.push(...recorded.take())).toBeGreaterThan(0);
  feed.unsubscribe(subscriber);
});
