import { CallGate } from './call-gate.ts';
import { KafkaClient } from './client/kafka-client.ts';
import { Persistence } from './client/persistence.ts';
import { RecordSender } from './client/record-sender.ts';
import { TopicAdmin } from './client/topic-admin.ts';
import { ControlLog } from './control/control-log.ts';
import { type KafkaBusOptions, SILENT } from './kafka-options.ts';
import { TopicSettings } from './topic-settings.ts';
import { TopicRegistry } from './topics/topic-registry.ts';
import { PartitionReader } from './wire/partition-reader.ts';

/** What an open bus is made of. */
export interface KafkaParts {
  readonly client: KafkaClient;
  readonly persistence: Persistence;
  readonly gate: CallGate;
  readonly admin: TopicAdmin;
  readonly sender: RecordSender;
  readonly reader: PartitionReader;
  readonly control: ControlLog;
  readonly registry: TopicRegistry;
  readonly settings: TopicSettings;
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
  const persistence = new Persistence({ brokers, unavailableMs, log, closed: closed.signal });
  const settings = new TopicSettings(prefix);
  const admin = new TopicAdmin(client, persistence, options.replicationFactor);
  const sender = new RecordSender(client, persistence);
  const reader = new PartitionReader(client);
  const control = new ControlLog({
    client,
    persistence,
    sender,
    admin,
    topic: settings.control,
    snapshotEvery: options.snapshotEvery ?? SNAPSHOT_EVERY,
  });
  const registry = new TopicRegistry({ client, persistence, admin, reader, control, settings });
  const gate = new CallGate();
  const parts = {
    client,
    persistence,
    gate,
    admin,
    sender,
    reader,
    control,
    registry,
    settings,
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
  const { gate, closed, client, admin, sender, reader, control, registry, closeMs } = parts;
  await gate.close(closeMs);
  closed.abort();
  client.destroy();
  await Promise.all([registry.stopped(), control.stopped(), admin.close(), sender.close(), reader.close()]);
}
