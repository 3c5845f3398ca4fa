import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers';
import { freePort } from './free-port.ts';

const IMAGE = 'apache/kafka:4.1.0';
const CLIENT_PORT = 9092;

/** Whether a container engine answers. */
export async function canRunContainers(): Promise<boolean> {
  try {
    await getContainerRuntimeClient();
    return true;
  } catch {
    return false;
  }
}

/** A single Kafka from its image. Its outside address must be known before its start: it advertises it to clients. */
export async function startContainerBroker(): Promise<{
  readonly brokers: readonly string[];
  stop(): Promise<void>;
}> {
  const port = await freePort();
  const container = await new GenericContainer(IMAGE)
    .withExposedPorts({ container: CLIENT_PORT, host: port })
    .withEnvironment({
      KAFKA_NODE_ID: '1',
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_LISTENERS: `CLIENT://:${CLIENT_PORT},CONTROLLER://:9093,INTERNAL://:9094`,
      KAFKA_ADVERTISED_LISTENERS: `CLIENT://localhost:${port},INTERNAL://localhost:9094`,
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CLIENT:PLAINTEXT,CONTROLLER:PLAINTEXT,INTERNAL:PLAINTEXT',
      KAFKA_INTER_BROKER_LISTENER_NAME: 'INTERNAL',
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
    })
    .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
    .start();
  return {
    brokers: [`localhost:${port}`],
    stop: async () => {
      await container.stop();
    },
  };
}
