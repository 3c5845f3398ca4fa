import { SettingError } from '../../platform/config/setting.ts';
import type { SettingsIn } from '../../platform/config/settings.ts';
import type { Log } from '../../platform/observability/log.ts';
import type { KafkaBusOptions, KafkaSasl, KafkaTls } from './kafka-options.ts';

/** Options of the log on Kafka. */
export type KafkaSettings = SettingsIn<'kafka'>;

/**
 * Options of the bus on Kafka; null if no brokers are named.
 * @throws SettingError if settings conflict
 */
export function kafkaOptions(
  settings: KafkaSettings,
  { log }: { readonly log: Log },
): KafkaBusOptions | null {
  if (settings.kafka === undefined) return null;
  const tls = readTls(settings);
  const sasl = buildSasl(settings);
  return {
    brokers: settings.kafka.split(','),
    prefix: settings.kafkaPrefix,
    ...(tls && { tls }),
    ...(sasl && { sasl }),
    log,
  };
}

function readTls({ kafkaTls, kafkaCa, kafkaCert, kafkaKey }: KafkaSettings): KafkaTls | null {
  if ((kafkaCert === undefined) !== (kafkaKey === undefined)) {
    const [missing, given] = kafkaCert === undefined ? ['cert', 'key'] : ['key', 'cert'];
    throw new SettingError(`--kafka-${missing}`, {
      found: '',
      allowed: 'a PEM file',
      origin: `--kafka-${given}, which needs it`,
    });
  }
  if (!kafkaTls && kafkaCa === undefined && kafkaCert === undefined) return null;
  return {
    ...(kafkaCa !== undefined && { caFile: kafkaCa }),
    ...(kafkaCert !== undefined && kafkaKey !== undefined && { certFile: kafkaCert, keyFile: kafkaKey }),
  };
}

function buildSasl({ kafkaSasl, kafkaUser, kafkaPassword }: KafkaSettings): KafkaSasl | null {
  if (kafkaSasl === 'none') {
    if (kafkaUser === undefined && kafkaPassword === undefined) return null;
    // An unused password would suggest protection that does not exist.
    throw new SettingError('--kafka-sasl', {
      found: kafkaSasl,
      allowed: 'plain, scram-sha-256, scram-sha-512',
      origin: 'a user or password',
    });
  }
  for (const [name, value] of Object.entries({ user: kafkaUser, password: kafkaPassword }))
    if (value === undefined)
      throw new SettingError(`--kafka-${name}`, {
        found: '',
        allowed: 'text that is not empty',
        origin: '--kafka-sasl, which needs it',
      });
  return { mechanism: kafkaSasl, username: kafkaUser ?? '', password: kafkaPassword ?? '' };
}
