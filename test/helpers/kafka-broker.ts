import { afterAll, beforeAll, describe } from 'vitest';
import { canRunContainers, startContainerBroker } from './kafka-container.ts';
import { canRunJars } from './kafka-jars.ts';
import { type BrokerSetup, type OwnedBroker, startOwnBroker } from './kafka-process.ts';
import { sharedBrokers } from './shared-broker.ts';

/** Starting a JVM, and the first time fetching its jars. */
const START_MS = 700_000;

interface Brokers {
  readonly brokers: readonly string[];
  stop(): Promise<void>;
}

/** Source of a broker: a given one, Docker, or the jars (the run's shared broker, or an own one); null if there is none of these. */
async function findStart(): Promise<(() => Promise<Brokers>) | null> {
  const given = process.env.TEST_KAFKA_BROKERS;
  if (given) return async () => ({ brokers: given.split(','), stop: async () => {} });
  if (await canRunContainers()) return startContainerBroker;
  if (!canRunJars()) return null;
  const shared = sharedBrokers();
  return shared ? async () => ({ brokers: await shared(), stop: async () => {} }) : startOwnBroker;
}

/**
 * A suite on a Kafka broker: from TEST_KAFKA_BROKERS, Docker, or the jars of Maven Central. Other files may use the same
 * broker at the same time. `define` gets its addresses, which are known when the tests run. Without a broker the suite is
 * skipped with a notice; in CI it fails.
 */
export async function describeWithKafka(
  name: string,
  define: (brokers: () => readonly string[]) => void,
): Promise<void> {
  const start = await findStart();
  if (!start) {
    skip(name, 'TEST_KAFKA_BROKERS, Docker, or Java with Maven');
    return;
  }
  describe(name, () => {
    let running: Brokers | undefined;
    beforeAll(async () => {
      running = await start();
    }, START_MS);
    afterAll(() => running?.stop());
    define(() => running?.brokers ?? []);
  });
}

/** A suite on a broker that it may kill, stop and start: one of the jars. */
export function describeWithOwnBroker(
  name: string,
  define: (broker: () => OwnedBroker) => void,
  setup: () => BrokerSetup = () => ({}),
): void {
  describeWithBrokerJars(name, () => {
    let running: OwnedBroker | undefined;
    beforeAll(async () => {
      running = await startOwnBroker(setup());
    }, START_MS);
    afterAll(() => running?.stop());
    define(() => {
      if (!running) throw new Error('the broker was not started');
      return running;
    });
  });
}

/** A suite that starts brokers of the jars itself. */
export function describeWithBrokerJars(name: string, define: () => void): void {
  if (canRunJars()) describe(name, define);
  else skip(name, 'Java with Maven');
}

function skip(name: string, missing: string): void {
  if (process.env.CI) throw new Error(`${name}: no Kafka broker here (${missing}), and CI may not skip it`);
  console.log(`skipped: ${name}: no Kafka broker here (${missing})`);
  describe.skip(`${name} (no Kafka broker here: ${missing})`, () => {});
}
