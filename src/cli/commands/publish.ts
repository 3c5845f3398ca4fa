import type { Command } from 'commander';
import { TOPIC_PROJECTIONS } from '../../../pipelines/projections.ts';
import type { DecoderSettings } from '../../engine/engine-parts.ts';
import { runMember } from '../../engine/lanes/run-member.ts';
import type { PublishedBatch } from '../../engine/lanes/topic-lane.ts';
import { topicMember } from '../../engine/lanes/topic-member.ts';
import { EngineMetrics } from '../../engine/metrics/engine-metrics.ts';
import { createKafkaBus } from '../../log/kafka/kafka-bus.ts';
import type { KafkaBusOptions } from '../../log/kafka/kafka-options.ts';
import { kafkaOptions } from '../../log/kafka/kafka-settings.ts';
import { waitForIdentity } from '../../log/wait-for-identity.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { SettingError } from '../../platform/config/setting.ts';
import { SETTINGS } from '../../platform/config/settings.ts';
import { type MetricsSettings, showMetrics } from '../compose/metrics.ts';
import { EXIT } from '../exit-codes.ts';
import { runService, type Session } from '../session.ts';
import { LOG_SETTINGS, METRICS_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';

const PUBLISH_SETTINGS = [
  ...LOG_SETTINGS,
  'verifyLevel',
  'decodeWorkers',
  'sessionMs',
  ...METRICS_SETTINGS,
] as const;

/** `tonhouse publish`: only this stage, on Kafka, until it is stopped. Its members share the lanes. */
export function publishCommand(command: Command, exit: (code: number) => void): void {
  command.action(async (flags: Record<string, unknown>) => exit(await publish(flags)));
  addSettings(command, PUBLISH_SETTINGS);
}

async function publish(flags: Record<string, unknown>): Promise<number> {
  const settings = resolveSettings(PUBLISH_SETTINGS, flags);
  await runService(flags, async (session) => {
    const kafka = kafkaOptions(settings, session);
    // The embedded log has no readers but this program.
    if (!kafka)
      throw new SettingError('--kafka', { found: '', allowed: SETTINGS.kafka.allowed, origin: 'default' });
    await follow(kafka, settings, session);
  });
  return EXIT.ok;
}

type PublishChoices = DecoderSettings & MetricsSettings & { readonly sessionMs: number };

async function follow(kafka: KafkaBusOptions, settings: PublishChoices, session: Session): Promise<void> {
  const { owner, signal, log } = session;
  const bus = await createKafkaBus(kafka);
  session.shutdown.add('log', () => bus.close());
  await showMetrics(bus, settings, session);
  const identity = await waitForIdentity(bus, session);
  const metrics = new EngineMetrics(session.metrics);
  const parts = { bus, identity, owner, log, metrics };
  const onBatch = (batch: PublishedBatch) => log.debug({ ...batch }, 'a batch is published');
  log.info({ network: identity.network, owner }, 'publishing');
  await Promise.all(
    TOPIC_PROJECTIONS.map(async (projection) =>
      runMember(await topicMember({ ...parts, projection }, settings, { onBatch }), signal),
    ),
  );
}
