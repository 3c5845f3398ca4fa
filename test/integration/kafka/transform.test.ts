import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { FencedError, InvalidRequestError } from '../../../src/log/errors.ts';
import { KafkaClient } from '../../../src/log/kafka/client/kafka-client.ts';
import { SILENT } from '../../../src/log/kafka/kafka-options.ts';
import { TopicSettings } from '../../../src/log/kafka/topic-settings.ts';
import {
  sendInTransaction,
  TransactionalProducer,
} from '../../../src/log/kafka/writer/transactional-producer.ts';
import type { OutputRecord } from '../../../src/log/port.ts';
import { IDENTITY, TOPIC } from '../../contract/log/test-steps.ts';
import { describeWithKafka } from '../../helpers/kafka-broker.ts';
import { claimLane, OPTIONS, output, transformLog } from './transform-log.ts';

const TEST_MS = 600_000;

await describeWithKafka('lanes that become records of other topics', (brokers) => {
  it(
    'show records and progress together, to the group too',
    async () => {
      const { open, keys, dispose } = await transformLog(brokers(), 10);
      try {
        const bus = await open();
        const lease = await claimLane(bus, 'a');
        const transform = await bus.transform(OPTIONS, lease);
        expect(transform.progress).toEqual({ next: 0, note: '' });
        await transform.write([...output(0), ...output(1)], { next: 2, note: 'second' });
        await transform.write([], { next: 3, note: 'third' });
        await transform.settle();
        expect((await bus.lag()).find(({ lane }) => lane === 0)?.committed).toBe(3);
        await transform.close();
        const again = await bus.transform(OPTIONS, lease);
        expect(again.progress).toEqual({ next: 3, note: 'third' });
        expect(await keys('one')).toEqual(['one/0', 'one/1']);
        expect(await keys('two')).toEqual(['two/0', 'two/1']);
      } finally {
        await dispose();
      }
    },
    TEST_MS,
  );

  it(
    'find the newest progress after many others',
    async () => {
      const { open, dispose } = await transformLog(brokers(), 60);
      try {
        const bus = await open();
        const lease = await claimLane(bus, 'a');
        const transform = await bus.transform(OPTIONS, lease);
        for (let next = 1; next <= 50; next++) await transform.write([], { next, note: String(next) });
        expect((await bus.transform(OPTIONS, lease)).progress).toEqual({ next: 50, note: '50' });
      } finally {
        await dispose();
      }
    },
    TEST_MS,
  );

  it(
    'refuse who has lost the lane, and what it had begun is never seen',
    async () => {
      const { open, keys, dispose } = await transformLog(brokers(), 10);
      try {
        const [first, second] = [await open(), await open()];
        const lost = await claimLane(first, 'a', 1_000);
        const sleeper = await first.transform(OPTIONS, lost);
        await sleeper.write(output(0), { next: 1, note: '' });
        await sleep(1_200);
        const taken = await second.transform(OPTIONS, await claimLane(second, 'b'));
        expect(taken.progress.next).toBe(1);
        await expect(sleeper.write(output(1), { next: 2, note: 'asleep' })).rejects.toThrow(FencedError);
        await expect(first.transform(OPTIONS, lost)).rejects.toThrow(FencedError);
        // The attempts above took the id away for a moment: the owner takes it back.
        await taken.write(output(1), { next: 2, note: 'awake' });
        expect(taken.progress).toEqual({ next: 2, note: 'awake' });
        expect(await keys('one')).toEqual(['one/0', 'one/1']);
      } finally {
        await dispose();
      }
    },
    TEST_MS,
  );

  it(
    'never show what a killed owner had sent and not committed',
    async () => {
      const { options, open, keys, dispose } = await transformLog(brokers(), 10);
      const client = new KafkaClient(options);
      try {
        const bus = await open();
        const lease = await claimLane(bus, 'a');
        const settings = new TopicSettings(options.prefix);
        const before = await bus.transform(OPTIONS, lease);
        await before.write(output(0), { next: 1, note: '' });
        await before.close();
        // As an owner leaves it that is killed between its records and the commit.
        const killed = await TransactionalProducer.open(client, settings.laneId(TOPIC, OPTIONS.group, 0));
        const transaction = await killed.begin();
        const sent = [{ partition: 0, key: 'ghost', value: 'ghost' }];
        await sendInTransaction(transaction, settings.data('one'), sent);
        const progress = JSON.stringify({ v: 1, next: 9, note: 'ghost', transaction: 'ghost' });
        const moved = [{ partition: 0, key: '0', value: progress }];
        await sendInTransaction(transaction, settings.progress(TOPIC, OPTIONS.group), moved);

        const transform = await bus.transform(OPTIONS, lease);
        expect(transform.progress).toEqual({ next: 1, note: '' });
        await transform.write(output(1), { next: 2, note: '' });
        await expect(transaction.commit()).rejects.toThrow();
        expect(await keys('one')).toEqual(['one/0', 'one/1']);
      } finally {
        client.destroy();
        await dispose();
      }
    },
    TEST_MS,
  );

  it(
    'take no older progress for the newest while a transaction hides that one',
    async () => {
      const hidden = Promise.withResolvers<void>();
      const listen = (facts: object) => {
        if (JSON.stringify(facts).includes('a transaction is open')) hidden.resolve();
      };
      const log = { ...SILENT, debug: listen, warn: listen };
      const { options, open, dispose } = await transformLog(brokers(), 10, { log });
      const client = new KafkaClient(options);
      try {
        const bus = await open();
        const lease = await claimLane(bus, 'a');
        const transform = await bus.transform(OPTIONS, lease);
        await transform.write(output(0), { next: 1, note: 'seen' });
        const stranger = await TransactionalProducer.open(client, `${options.prefix}.stranger`);
        const left = await stranger.begin();
        const progress = new TopicSettings(options.prefix).progress(TOPIC, OPTIONS.group);
        await sendInTransaction(left, progress, [{ partition: 0, key: '0', value: 'of nobody' }]);
        await transform.write(output(1), { next: 2, note: 'behind it' });
        await transform.close();
        const opening = bus.transform(OPTIONS, lease);
        await Promise.race([hidden.promise, opening]);
        // The broker ends it too, when it has been open for a minute.
        await left.abort().catch(() => {});
        expect((await opening).progress).toEqual({ next: 2, note: 'behind it' });
      } finally {
        client.destroy();
        await dispose();
      }
    },
    TEST_MS,
  );

  it(
    'refuse topics, partitions and offsets that are not theirs',
    async () => {
      const { open, keys, dispose } = await transformLog(brokers(), 10);
      try {
        const bus = await open();
        const transform = await bus.transform(OPTIONS, await claimLane(bus, 'a'));
        const [made] = output(0) as [OutputRecord];
        const bad: [OutputRecord[], number][] = [
          [[{ ...made, topic: TOPIC }], 1],
          [[{ ...made, partition: IDENTITY.lanes }], 1],
          [[made], 0],
        ];
        for (const [records, next] of bad)
          await expect(transform.write(records, { next, note: '' })).rejects.toThrow(InvalidRequestError);
        expect(await keys('one')).toEqual([]);
      } finally {
        await dispose();
      }
    },
    TEST_MS,
  );
});
