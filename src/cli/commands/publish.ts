import type { Command } from 'commander';
import { createKafkaBus } from '../../platform/bus/kafka/kafka-bus.ts';
import type { KafkaBusOptions } from '../../platform/bus/kafka/kafka-options.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { SettingError } from '../../platform/config/setting.ts';
import { SETTINGS } from '../../platform/config/settings.ts';
import { runPublish } from '../../stages/publish/publish-stage.ts';
import { EXIT } from '../exit-codes.ts';
import { LOG_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';
import { waitForIdentity } from '../wiring/data-directory.ts';
import { kafkaOptions } from '../wiring/kafka.ts';
import { type PublishSettings, publishOptions } from '../wiring/publish.ts';
import { runSession, type Session, wasStopped } from '../wiring/session.ts';

const PUBLISH_SETTINGS = [...LOG_SETTINGS, 'verifyLevel', 'decodeWorkers', 'sessionMs'] as const;

/**
 * `tonhouse publish`: the stage alone, on Kafka, until it is stopped. Its members share the lanes among themselves.
 */
export function publishCommand(command: Command, exit: (code: number) => void): void {
  command.action(async (flags: Record<string, unknown>) => exit(await publish(flags)));
  addSettings(command, PUBLISH_SETTINGS);
}

async function publish(flags: Record<string, unknown>): Promise<number> {
  const settings = resolveSettings(PUBLISH_SETTINGS, flags);
  return runSession(flags, async (session) => {
    const kafka = kafkaOptions(settings, session);
    // The embedded log has no readers but this program.
    if (!kafka) throw new SettingError('--kafka', '', SETTINGS.kafka.allowed, 'nowhere');
    try {
      await follow(kafka, settings, session);
    } catch (error) {
      if (!wasStopped(session, error)) throw error;
    }
    return EXIT.ok;
  });
}

async function follow(kafka: KafkaBusOptions, settings: PublishSettings, session: Session): Promise<void> {
  const { owner, signal, log } = session;
  const bus = await createKafkaBus(kafka);
  session.shutdown.add('log', () => bus.close());
  const identity = await waitForIdentity({ bus }, session);
  const parts = { bus, identity, owner, log };
  const options = await publishOptions(parts, settings, {
    onBatch: (batch) => log.debug({ ...batch }, 'a batch is published'),
  });
  log.info({ network: identity.network, owner }, 'publishing');
  await runPublish(options, signal);
}
