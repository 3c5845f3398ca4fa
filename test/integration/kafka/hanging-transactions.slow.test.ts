import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { BrokerRetry } from '../../../src/log/kafka/client/broker-retry.ts';
import { KafkaClient } from '../../../src/log/kafka/client/kafka-client.ts';
import { type BusLog, type KafkaBusOptions, SILENT } from '../../../src/log/kafka/kafka-options.ts';
import { TopicSettings } from '../../../src/log/kafka/topic-settings.ts';
import {
  sendInTransaction,
  TransactionalProducer,
} from '../../../src/log/kafka/writer/transactional-producer.ts';
import { kafkaLog } from '../../contract/log/kafka-log.ts';
import { keys, readLane, record, step } from '../../contract/log/log-fixture.ts';
import { IDENTITY, TOPIC } from '../../contract/log/test-steps.ts';
import { describeWithOwnBroker } from '../../helpers/kafka-broker.ts';
import { readCommitted } from '../../helpers/kafka-reader.ts';
import { loseMarkers } from './lost-markers.ts';
import { claimLane, OPTIONS, output, transformLog } from './transform-log.ts';

/** Resolves when the bus logs the text. */
function heard(text: string): { readonly log: BusLog; readonly said: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const listen = (facts: object, message: string) => {
    if (`${JSON.stringify(facts)} ${message}`.includes(text)) resolve();
  };
  return { log: { ...SILENT, debug: listen, warn: listen }, said: promise };
}

/** Takes an id as one does that looks at nothing: its coordinator forgets what became of the last transaction. */
async function withId(
  options: KafkaBusOptions,
  id: string,
  work: (producer: TransactionalProducer) => Promise<void> = async () => {},
): Promise<void> {
  const client = new KafkaClient(options);
  const { brokers } = options;
  const closed = new AbortController().signal;
  const brokerRetry = new BrokerRetry({ brokers, unavailableMs: 120_000, log: SILENT, closed });
  try {
    const producer = await brokerRetry.run('taking an id', () => TransactionalProducer.open(client, id));
    await work(producer).finally(() => producer.close());
  } finally {
    client.destroy();
  }
}

const SESSION_MS = 600_000;
const UNVERIFIED = { properties: { 'transaction.partition.verification.enable': 'false' } };

describeWithOwnBroker(
  'a transaction that is committed and never ended in its partitions',
  (broker) => {
    it('is ended by the append that waits for it, which is there once', async () => {
      const { log: busLog, said } = heard('does not continue after');
      const log = await kafkaLog(broker().brokers, { log: busLog });
      try {
        const bus = await log.open();
        await bus.establish(IDENTITY);
        const settings = new TopicSettings(log.options.prefix);
        const writer = await bus.writer(TOPIC, 'w', SESSION_MS);
        await writer.append([step(0)]);
        const { restore } = await loseMarkers(log.options, settings.transactionalId(TOPIC));
        const appending = writer.append([step(1, 2)]);
        await Promise.race([said, appending]).finally(restore);
        await appending;
        await writer.append([step(2)]);
        expect(keys(await readLane(bus, TOPIC, 0))).toEqual(['0/0', '1/0', '1/1', '2/0']);
      } finally {
        await log.dispose();
      }
    });

    it('is aborted by the next append if it is open only in a lane', async () => {
      const { log: busLog, said } = heard('what was committed hangs');
      const log = await kafkaLog(broker().brokers, { log: busLog });
      try {
        const bus = await log.open();
        await bus.establish(IDENTITY);
        const settings = new TopicSettings(log.options.prefix);
        const writer = await bus.writer(TOPIC, 'w', SESSION_MS);
        await writer.append([step(0)]);
        const id = settings.transactionalId(TOPIC);
        const { restore } = await loseMarkers(log.options, id, settings.data(TOPIC));
        // The other lane is in it, too.
        const appending = writer.append([step(1, 2), step(10)]);
        await Promise.race([said, appending]).finally(restore);
        await appending;
        expect(keys(await readLane(bus, TOPIC, 0))).toEqual(['0/0', '1/0', '1/1']);
        expect(keys(await readLane(bus, TOPIC, 1))).toEqual(['10/0']);
        await writer.append([step(11)]);
        expect(keys(await readLane(bus, TOPIC, 1))).toEqual(['10/0', '11/0']);
      } finally {
        await log.dispose();
      }
    });

    it("is aborted in a lane by the topic's next owner, even if the coordinator has forgotten it", async () => {
      // The first bus gives up on its append when it is closed.
      const log = await kafkaLog(broker().brokers, { closeMs: 100 });
      try {
        const [bus, next] = [await log.open(), await log.open()];
        await bus.establish(IDENTITY);
        const settings = new TopicSettings(log.options.prefix);
        const id = settings.transactionalId(TOPIC);
        const writer = await bus.writer(TOPIC, 'w', SESSION_MS);
        await writer.append([step(0)]);
        const { ended, restore } = await loseMarkers(log.options, id, settings.data(TOPIC));
        try {
          writer.append([step(1, 2)]).catch(() => {});
          while ((await next.highest(TOPIC)) < 1) await sleep(20);
          await ended();
        } finally {
          restore();
        }
        await bus.close();
        await withId(log.options, id);
        const successor = await next.writer(TOPIC, 'w', SESSION_MS);
        expect(keys(await readLane(next, TOPIC, 0))).toEqual(['0/0', '1/0', '1/1']);
        await successor.append([step(2)]);
        expect(keys(await readLane(next, TOPIC, 0))).toEqual(['0/0', '1/0', '1/1', '2/0']);
      } finally {
        await log.dispose();
      }
    });

    it('stays aborted: a lane shows nothing of it after the next append', async () => {
      const log = await kafkaLog(broker().brokers);
      try {
        const bus = await log.open();
        await bus.establish(IDENTITY);
        const settings = new TopicSettings(log.options.prefix);
        const [id, topic] = [settings.transactionalId(TOPIC), settings.data(TOPIC)];
        const first = await bus.writer(TOPIC, 'w', SESSION_MS);
        await first.append([step(0)]);
        await first.release();
        const { restore } = await loseMarkers(log.options, id, topic);
        await withId(log.options, id, async (producer) => {
          const transaction = await producer.begin();
          await sendInTransaction(transaction, topic, [{ partition: 0, key: 'aborted', value: '' }]);
          await transaction.abort();
        }).finally(restore);
        const writer = await bus.writer(TOPIC, 'w', SESSION_MS);
        await writer.append([step(1)]);
        const committed = await readCommitted(log.options, TOPIC, IDENTITY.lanes);
        expect(committed.map(({ key }) => key)).toEqual(['0/0', '1/0']);
      } finally {
        await log.dispose();
      }
    });

    it.each([
      ['everywhere', undefined],
      ['in only one output', 'one'],
    ])("is aborted by the lane's next owner, %s", async (_, lost) => {
      const { options, open, keys: keysOf, dispose } = await transformLog(broker().brokers, 10);
      try {
        const [bus, other] = [await open(), await open()];
        const settings = new TopicSettings(options.prefix);
        const lease = await claimLane(bus, 'a');
        const transform = await bus.transform(OPTIONS, lease);
        const id = settings.laneId(TOPIC, OPTIONS.group, 0);
        const { ended, restore } = await loseMarkers(options, id, lost && settings.data(lost));
        const writing = transform.write(output(0), { next: 1, note: 'hangs' });
        await ended().finally(restore);
        const next = await other.transform(OPTIONS, lease);
        expect(next.progress).toEqual({ next: 1, note: 'hangs' });
        expect(await keysOf('one')).toEqual(['one/0']);
        await writing;
        await next.write(output(1), { next: 2, note: '' });
        expect(await keysOf('one')).toEqual(['one/0', 'one/1']);
        expect(await keysOf('two')).toEqual(['two/0', 'two/1']);
      } finally {
        await dispose();
      }
    });

    it('is ended by the next retry of dead letters', async () => {
      const { options, open, keys: keysOf, dispose } = await transformLog(broker().brokers, 10);
      try {
        const [bus, other] = [await open(), await open()];
        const settings = new TopicSettings(options.prefix);
        const amended = { ...OPTIONS, done: 'done' };
        const amendment = await bus.amend(amended);
        const { ended, restore } = await loseMarkers(options, settings.amendmentId(TOPIC, OPTIONS.group));
        const writing = amendment.write(output(0), record('settled'));
        writing.catch(() => {});
        await ended().finally(restore);
        const next = await other.amend(amended);
        expect(keys(await readLane(other, 'done', 0))).toEqual(['settled']);
        expect(await keysOf('one')).toEqual(['one/0']);
        expect(await keysOf('two')).toEqual(['two/0']);
        await next.close();
      } finally {
        await dispose();
      }
    });
  },
  () => UNVERIFIED,
);
