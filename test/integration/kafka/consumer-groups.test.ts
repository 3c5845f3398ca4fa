import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import type { Bus, LaneLease, LogConsumer } from '../../../src/log/port.ts';
import { type KafkaLog, kafkaLog } from '../../contract/log/kafka-log.ts';
import { step } from '../../contract/log/log-fixture.ts';
import { IDENTITY, TOPIC } from '../../contract/log/test-steps.ts';
import { describeWithKafka } from '../../helpers/kafka-broker.ts';
import { canRunJars, kafkaToolsClasspath } from '../../helpers/kafka-jars.ts';

const COMMAND = 'org.apache.kafka.tools.consumer.group.ConsumerGroupCommand';
const RESOLVE_MS = 600_000;

/** Committed offset, end and lag by partition, as `kafka-consumer-groups --describe` prints them. */
async function describeGroup(brokers: readonly string[], group: string): Promise<string[]> {
  const args = ['-cp', await kafkaToolsClasspath(), COMMAND];
  args.push('--bootstrap-server', brokers.join(','), '--describe', '--group', group);
  const { stdout } = await promisify(execFile)('java', args);
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([name]) => name === group)
    .map(([, topic, partition, committed, end, lag]) => `${topic} ${partition}: ${committed}/${end}, ${lag}`)
    .sort();
}

await describeWithKafka('committed offsets', (brokers) => {
  let log: KafkaLog | undefined;
  afterEach(async () => {
    await log?.dispose();
  });

  async function join(bus: Bus): Promise<{ member: LogConsumer; lease: LaneLease }> {
    const options = { topic: TOPIC, group: 'decode', owner: 'a', sessionMs: 60_000, shownAs: 'base' };
    const member = await bus.consumer(options);
    const [lease] = await member.claim();
    if (!lease) throw new Error('no lease');
    return { member, lease };
  }

  it.skipIf(!canRunJars())(
    'are shown, with their lag, by Kafka’s own tools (skipped without Java and Maven)',
    { timeout: RESOLVE_MS },
    async () => {
      log = await kafkaLog(brokers());
      const { prefix } = log.options;
      const bus = await log.open();
      await bus.establish(IDENTITY);
      // Lane 0: three records and the marker of their transaction.
      await (await bus.writer(TOPIC, 'w', 60_000)).append([step(0, 3)]);
      const { member, lease } = await join(bus);
      await member.commit(lease, 2);
      const group = `${prefix}.base`;
      const shown = () => describeGroup(brokers(), group);
      const none = [1, 2, 3].map((lane) => `${prefix}.${TOPIC} ${lane}: 0/0, 0`);
      await expect
        .poll(shown, { timeout: 60_000, interval: 1_000 })
        .toEqual([`${prefix}.${TOPIC} 0: 2/4, 2`, ...none]);
      await member.commit(lease, 3);
      // The last word before the member leaves.
      await member.release();
      expect((await shown())[0]).toBe(`${prefix}.${TOPIC} 0: 3/4, 1`);
    },
  );
});
