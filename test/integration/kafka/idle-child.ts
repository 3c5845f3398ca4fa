/**
 * A process with the work of an idle stage: `node idle-child.ts OPTIONS` (of the bus, JSON). Prints `ready`, renews its
 * leases until it is stopped, closes the bus and must then end.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createKafkaBus } from '../../../src/log/kafka/kafka-bus.ts';
import { IDENTITY, TOPIC } from '../../contract/log/test-steps.ts';

const bus = await createKafkaBus(JSON.parse(process.argv[2] ?? '{}'));
await bus.establish(IDENTITY);
const consumer = await bus.consumer({ topic: TOPIC, group: 'g', owner: 'idle', sessionMs: 60_000 });
let stop = false;
process.once('message', () => {
  stop = true;
});
const atWork = process.cpuUsage();
process.send?.('ready');
while (!stop) {
  await consumer.claim();
  await consumer.waitForData(100);
  await sleep(50);
}
await bus.close();
process.send?.(process.cpuUsage(atWork));
process.disconnect?.();
