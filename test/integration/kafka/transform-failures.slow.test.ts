import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { KafkaClient } from '../../../src/log/kafka/client/kafka-client.ts';
import { TopicSettings } from '../../../src/log/kafka/topic-settings.ts';
import {
  sendInTransaction,
  TransactionalProducer,
} from '../../../src/log/kafka/writer/transactional-producer.ts';
import { describeWithOwnBroker } from '../../helpers/kafka-broker.ts';
import { claimLane, OPTIONS, output, transformLog } from './transform-log.ts';

const TEST_MS = 600_000;

describeWithOwnBroker('lanes that become records of other topics, on a broker that fails', (broker) => {
  it(
    'write everything once, though the broker is killed again and again',
    async () => {
      const { open, keys, twice, dispose } = await transformLog(broker().brokers, 150);
      try {
        const bus = await open();
        const lease = await claimLane(bus, 'a');
        const transform = await bus.transform(OPTIONS, lease);
        const writing = (async () => {
          for (let offset = 0; offset < 150; offset++)
            await transform.write(output(offset), { next: offset + 1, note: '' });
        })();
        let over = false;
        writing
          .finally(() => {
            over = true;
          })
          .catch(() => {});
        let kills = 0;
        const killed: number[] = [];
        for (; !over && kills < 2; kills++) {
          await sleep(300 + 137 * kills);
          killed.push(Date.now());
          await broker().kill();
          await broker().start();
        }
        await writing;
        expect(kills).toBeGreaterThan(0);
        // Offsets show whether one transaction sent it twice or two were committed; times show the side of a kill.
        expect({ one: await twice('one'), two: await twice('two'), killed }).toEqual({
          one: [],
          two: [],
          killed,
        });
        const wanted = Array.from({ length: 150 }, (_, offset) => `one/${offset}`).sort();
        expect(await keys('one')).toEqual(wanted);
        expect((await keys('two')).length).toBe(150);
      } finally {
        await dispose();
      }
    },
    TEST_MS,
  );

  it(
    'send nothing a second time within a transaction',
    async () => {
      const { options, keys, open, dispose } = await transformLog(broker().brokers, 1);
      const client = new KafkaClient(options);
      const sockets = new Set<Socket>();
      const keep = (message: unknown) => void sockets.add((message as { socket: Socket }).socket);
      try {
        const bus = await open();
        // The topics have their leaders then.
        const transform = await bus.transform(OPTIONS, await claimLane(bus, 'a'));
        await transform.write(output(0), { next: 1, note: '' });
        await transform.close();
        const topic = new TopicSettings(options.prefix).data('one');
        subscribe('net.client.socket', keep);
        const producer = await TransactionalProducer.open(client, `${options.prefix}.once`);
        const transaction = await producer.begin();
        await sendInTransaction(transaction, topic, [{ partition: 0, key: 'before', value: '' }]);
        // The connection breaks after the request, before its answer.
        broker().pause();
        // It may answer until it is paused.
        await sleep(500);
        const cutOff = sendInTransaction(transaction, topic, [{ partition: 0, key: 'cut off', value: '' }]);
        const outcome = cutOff.then(
          () => 'sent again',
          () => 'failed',
        );
        await sleep(500);
        for (const socket of sockets) socket.destroy(new Error('cut off'));
        broker().resume();
        expect(await outcome).toBe('failed');
        // A producer that takes the id ends the transaction.
        const next = await TransactionalProducer.open(client, `${options.prefix}.once`);
        await Promise.all([producer.close(), next.close()]);
        expect(await keys('one')).toEqual(['one/0']);
      } finally {
        unsubscribe('net.client.socket', keep);
        client.destroy();
        await dispose();
      }
    },
    TEST_MS,
  );
});
