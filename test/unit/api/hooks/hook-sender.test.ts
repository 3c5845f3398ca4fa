import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import type { HookRecords } from '../../../../src/api/hooks/hook-records.ts';
import { HookSender } from '../../../../src/api/hooks/hook-sender.ts';
import { parseSubscription } from '../../../../src/api/hooks/hook-server.ts';
import { Feed } from '../../../../src/api/streaming/feed.ts';
import { StreamEvent } from '../../../../src/api/streaming/stream-event.ts';
import { storelessContext } from '../../../helpers/storeless-context.ts';
import { baseVector } from '../../../helpers/version-vector.ts';

const FILTER = JSON.stringify({ types: ['account_state_change'], addresses: [`0:${'0'.repeat(64)}`] });

// Removed while it was full, a webhook was asked for room again and again in one turn of the event loop: nothing else ran any more.
it('a full webhook that is stopped leaves its feed in the same turn', async () => {
  const silent = createServer(() => {});
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const context = { ...storelessContext(), vector: () => baseVector('none_test', { first: 1, last: 5 }) };
  const feed = new Feed(context, ['base']);
  const hook = {
    id: 'full',
    url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`,
    filter: FILTER,
    secret: 'whsec_',
    allowsPrivate: true,
    start: '',
    createdAt: 0,
    isRemoved: false,
  };
  const sender = new HookSender(hook, {
    records: {} as HookRecords,
    pausesMs: [],
    log: { warn: () => expect.unreachable('nothing is written') },
    onOutcome: () => expect.unreachable('nothing is answered'),
    hasTurn: () => true,
  });
  const subscriber = feed.subscribe(parseSubscription(FILTER), sender, { seqno: 5, ordinal: 0 });
  const done = sender.run(feed, subscriber);
  for (let ordinal = 1; sender.hasRoom; ordinal++)
    sender.send(new StreamEvent({ seqno: 5, ordinal }, () => '{}'));
  await once(silent, 'request');
  expect(feed.size).toBe(1);
  sender.stop();
  expect(feed.size).toBe(0);
  await done;
});
