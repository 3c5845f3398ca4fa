import { afterEach, expect, it } from 'vitest';
import type { Bus, LogRecord } from '../../../src/log/port.ts';
import { type KafkaLog, kafkaLog } from '../../contract/log/kafka-log.ts';
import { pause } from '../../contract/log/log-fixture.ts';
import { SeededRandom } from '../../contract/log/seeded-random.ts';
import { chainStep, IDENTITY, TOPIC } from '../../contract/log/test-steps.ts';
import { describeWithKafka } from '../../helpers/kafka-broker.ts';
import { sampled } from '../../helpers/long-run.ts';
import { GroupMember, Sink } from './group-member.ts';

const SESSION_MS = 1_500;
const STEPS = 160;
/** Far more than a busy machine needs. */
const DRAIN_MS = 240_000;

const place = ({ lane, offset }: LogRecord) => `${lane}/${offset}`;

await describeWithKafka('a group whose members join and leave', (brokers) => {
  let log: KafkaLog;
  afterEach(() => log.dispose());

  /** Appends the chain of the seed, some steps at a time, while the members work. */
  async function feed(bus: Bus, seed: number): Promise<void> {
    const writer = await bus.writer(TOPIC, 'feeder', 60_000);
    for (let position = 0; position < STEPS; position += 4) {
      await writer.append(Array.from({ length: 4 }, (_, index) => chainStep(seed, position + index)));
      await pause(20);
    }
    await writer.release();
  }

  async function expectEverythingOnce(bus: Bus, sink: Sink, seed: number): Promise<void> {
    const expected = Array.from({ length: STEPS }, (_, position) => chainStep(seed, position)).flatMap(
      ({ position, records }) => records.map(({ key }) => `${position}: ${key}`),
    );
    const found = sink.confirmed.map(({ position, key }) => `${position}: ${key}`);
    expect(new Set(sink.confirmed.map(place)).size).toBe(sink.confirmed.length);
    expect(found.sort()).toEqual(expected.sort());
    for (const { committed, end } of await bus.lag()) expect(committed).toBe(end);
  }

  async function drained(bus: Bus): Promise<void> {
    for (const deadline = Date.now() + DRAIN_MS; Date.now() < deadline; ) {
      const lag = await bus.lag();
      if (lag.length > 0 && lag.every(({ committed, end }) => committed === end)) return;
      await pause(100);
    }
    throw new Error('the members do not come to the end');
  }

  it('shares its lanes with a third member, and continues when that one leaves', async () => {
    log = await kafkaLog(brokers());
    const bus = await log.open();
    await bus.establish(IDENTITY);
    const sink = new Sink();
    const members = await Promise.all(
      ['a', 'b', 'c'].map(async (owner) => new GroupMember(await log.open(), owner, sink, SESSION_MS, 20)),
    );
    const [a, b, c] = members as [GroupMember, GroupMember, GroupMember];
    a.start();
    b.start();
    const feeding = feed(bus, 5);
    const expectOwners = (...wanted: string[]) =>
      expect.poll(async () => new Set((await bus.lag()).map(({ owner }) => owner))).toEqual(new Set(wanted));
    await expectOwners('a', 'b');
    c.start();
    await expectOwners('a', 'b', 'c');
    await c.leave();
    await feeding;
    await drained(bus);
    await Promise.all([a.leave(), b.leave()]);
    await expectEverythingOnce(bus, sink, 5);
    expect(sink.overlaps).toBe(0);
  });

  it.each(sampled([21, 22, 23]))(
    'handles each record once while members join, leave or die (seed %i)',
    async (seed) => {
      log = await kafkaLog(brokers());
      const random = new SeededRandom(seed);
      const bus = await log.open();
      await bus.establish(IDENTITY);
      const connections = [await log.open(), await log.open()];
      const sink = new Sink();
      let members: GroupMember[] = [];
      let born = 0;
      const join = () => {
        const member = new GroupMember(random.pick(connections), `m${born++}`, sink, SESSION_MS, 60);
        member.start();
        members.push(member);
      };
      join();
      const feeding = feed(bus, seed);
      for (let round = 0; round < 12; round++) {
        await pause(random.between(50, 400));
        if (members.length < 4 && random.next() < 0.6) join();
        else if (members.length > 1) {
          const leaver = random.pick(members);
          members = members.filter((member) => member !== leaver);
          await (random.next() < 0.5 ? leaver.leave() : leaver.die());
        }
      }
      await feeding;
      await drained(bus);
      await Promise.all(members.map((member) => member.leave()));
      await expectEverythingOnce(bus, sink, seed);
    },
  );
});
