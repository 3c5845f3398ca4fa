import { CallGate } from './call-gate.ts';
import { BrokerRetry } from './client/broker-retry.ts';
import { KafkaClient } from './client/kafka-client.ts';
import { RecordSender } from './client/record-sender.ts';
import { TopicAdmin } from './client/topic-admin.ts';
import { OffsetMirror } from './consumer/offset-mirror.ts';
import { ControlLog } from './control/control-log.ts';
import { type BusLog, type KafkaBusOptions, SILENT } from './kafka-options.ts';
import { TopicSettings } from './topic-settings.ts';
import { TopicRegistry } from './topics/topic-registry.ts';
import { PartitionReader } from './wire/partition-reader.ts';

/** Parts of an open bus. */
export interface KafkaParts {
  readonly client: KafkaClient;
  readonly brokerRetry: BrokerRetry;
  readonly gate: CallGate;
  readonly admin: TopicAdmin;
  readonly sender: RecordSender;
  readonly reader: PartitionReader;
  readonly control: ControlLog;
  readonly registry: TopicRegistry;
  readonly mirror: OffsetMirror;
  readonly settings: TopicSettings;
  readonly log: BusLog;
  readonly closed: AbortController;
  readonly closeMs: number;
}

const UNAVAILABLE_MS = 300_000;
const CLOSE_MS = 15_000;
const SNAPSHOT_EVERY = 5_000;

export async function openParts(options: KafkaBusOptions): Promise<KafkaParts> {
  const { brokers, prefix, log = SILENT, unavailableMs = UNAVAILABLE_MS } = options;
  const closed = new AbortController();
  const client = new KafkaClient(options);
  const brokerRetry = new BrokerRetry({ brokers, unavailableMs, log, closed: closed.signal });
  const settings = new TopicSettings(prefix);
  const admin = new TopicAdmin(client, brokerRetry, options.replicationFactor);
  const sender = new RecordSender(client, brokerRetry);
  const reader = new PartitionReader(client);
  const control = new ControlLog({
    client,
    brokerRetry,
    sender,
    admin,
    topic: settings.control,
    snapshotEvery: options.snapshotEvery ?? SNAPSHOT_EVERY,
  });
  const registry = new TopicRegistry({ client, brokerRetry, admin, reader, control, settings });
  const mirror = new OffsetMirror({ client, control, settings, log });
  const gate = new CallGate();
  const parts = {
    client,
    brokerRetry,
    gate,
    admin,
    sender,
    reader,
    control,
    registry,
    mirror,
    settings,
    log,
    closed,
    closeMs: options.closeMs ?? CLOSE_MS,
  };
  try {
    await admin.ensure([settings.controlSpec()]);
    await control.open();
    return parts;
  } catch (error) {
    await closeParts(parts);
    throw error;
  }
}

/** Calls under way may finish; then every connection is cut, and nothing of the bus goes on. */
export async function closeParts(parts: KafkaParts): Promise<void> {
  const { gate, closed, client, admin, sender, reader, control, registry, mirror, closeMs } = parts;
  await gate.close(closeMs);
  closed.abort();
  client.destroy();
  await Promise.all([
    mirror.close(),
    registry.stopped(),
    control.stopped(),
    admin.close(),
    sender.close(),
    reader.close(),
  ]);
}
