import { expect, it } from 'vitest';
import { KafkaClient } from '../../../src/log/kafka/client/kafka-client.ts';
import type { Broker } from '../../../src/log/kafka/client/kafkajs-internals.ts';
import { type BusLog, type KafkaBusOptions, SILENT } from '../../../src/log/kafka/kafka-options.ts';
import { TopicSettings } from '../../../src/log/kafka/topic-settings.ts';
import { kafkaLog } from '../../contract/log/kafka-log.ts';
import { keys, readLane, step } from '../../contract/log/log-fixture.ts';
import { IDENTITY, TOPIC } from '../../contract/log/test-steps.ts';
import { describeWithOwnBroker } from '../../helpers/kafka-broker.ts';
import { claimLane, OPTIONS, output, transformLog } from './transform-log.ts';

/**
 * Has transactions of the id name another partition than those that they write to: a broker that does not verify them then
 * commits, and writes no marker to these, as one may that was killed between the decision and the markers.
 */
async function withoutMarkers(options: KafkaBusOptions, transactionalId: string, decoy: string) {
  const client = new KafkaClient(options);
  const cluster = client.cluster();
  await cluster.connect();
  const coordinator = await cluster.findGroupCoordinator({ groupId: transactionalId, coordinatorType: 1 });
  const brokers = Object.getPrototypeOf(coordinator) as Broker;
  const { addPartitionsToTxn } = brokers;
  brokers.addPartitionsToTxn = function addDecoy(request) {
    const topics = [{ topic: decoy, partitions: [0] }];
    const mine = request.transactionalId === transactionalId;
    return addPartitionsToTxn.call(this, mine ? { ...request, topics } : request);
  };
  client.destroy();
  return () => {
    brokers.addPartitionsToTxn = addPartitionsToTxn;
  };
}

/** Resolves when the bus says so. */
function heard(text: string): { readonly log: BusLog; readonly said: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const listen = (facts: object, message: string) => {
    if (`${JSON.stringify(facts)} ${message}`.includes(text)) resolve();
  };
  return { log: { ...SILENT, debug: listen, warn: listen }, said: promise };
}

const UNVERIFIED = { properties: { 'transaction.partition.verification.enable': 'false' } };

describeWithOwnBroker(
  'a transaction that is committed and never ended in its partitions',
  (broker) => {
    it('is ended by the append that waits for it, which is there once', async () => {
      const { log: busLog, said } = heard('stands still');
      const log = await kafkaLog(broker().brokers, { log: busLog });
      try {
        const bus = await log.open();
        await bus.establish(IDENTITY);
        const settings = new TopicSettings(log.options.prefix);
        const writer = await bus.writer(TOPIC, 'w', 600_000);
        await writer.append([step(0)]);
        const restore = await withoutMarkers(log.options, settings.transactionalId(TOPIC), settings.control);
        const appending = writer.append([step(1, 2)]);
        await Promise.race([said, appending]).finally(restore);
        await appending;
        await writer.append([step(2)]);
        expect(keys(await readLane(bus, TOPIC, 0))).toEqual(['0/0', '1/0', '1/1', '2/0']);
      } finally {
        await log.dispose();
      }
    });

    it('is ended by whoever takes the lane next, which goes on behind it', async () => {
      const { options, open, keys: keysOf, dispose } = await transformLog(broker().brokers, 10);
      try {
        const bus = await open();
        const settings = new TopicSettings(options.prefix);
        const lease = await claimLane(bus, 'a');
        const transform = await bus.transform(OPTIONS, lease);
        const id = settings.laneId(TOPIC, OPTIONS.group, 0);
        const restore = await withoutMarkers(options, id, settings.control);
        await transform.write(output(0), { next: 1, note: 'hangs' }).finally(restore);
        expect(await keysOf('one')).toEqual([]);
        await transform.close();
        const next = await bus.transform(OPTIONS, lease);
        expect(next.progress).toEqual({ next: 1, note: 'hangs' });
        await next.write(output(1), { next: 2, note: '' });
        expect(await keysOf('one')).toEqual(['one/0', 'one/1']);
        expect(await keysOf('two')).toEqual(['two/0', 'two/1']);
      } finally {
        await dispose();
      }
    });
  },
  () => UNVERIFIED,
);
