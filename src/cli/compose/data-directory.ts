import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KafkaBusOptions } from '../../log/kafka/kafka-options.ts';
import { type KafkaSettings, kafkaOptions } from '../../log/kafka/kafka-settings.ts';
import type { Bus, LogIdentity, SealingBus, TransformingBus } from '../../log/port.ts';
import { openEmbeddedBus } from '../../log/sqlite/embedded-bus.ts';
import { AvroCodec } from '../../platform/avro/avro-codec.ts';
import { loadSchemas } from '../../platform/avro/schema-files.ts';
import { enablePrivateCompileCache } from '../../platform/config/compile-cache.ts';
import { SettingError } from '../../platform/config/setting.ts';
import type { SettingsIn } from '../../platform/config/settings.ts';
import { DataError } from '../../platform/errors/error-kinds.ts';
import { ensurePrivateDirectory } from '../../platform/files/private-directory.ts';
import type { S3Settings } from '../../platform/object-store/s3-location.ts';
import type { Session } from '../session.ts';
import { type RawMover, rawMover } from './log/raw-mover.ts';

/** How a log reads sealed files that are in buckets. */
export type RawSettings = SettingsIn<'s3' | 'raw'>;

/** Settings of a log. */
export type LogSettings = RawSettings & KafkaSettings;

/** The log of a data directory, opened for this session. */
export interface OpenLog {
  readonly directory: string;
  readonly bus: Bus;
  readonly codec: AvroCodec;
  /** Options of the log on Kafka; absent for a log in the data directory. */
  readonly kafka?: KafkaBusOptions;
  /** The same bus, where records can become records of other topics. */
  readonly transforming?: TransformingBus;
  /** Moves the sealed files of a log in the data directory. */
  readonly rawMover?: RawMover;
  /** The same bus, if it can seal its epochs: a log in the data directory. */
  readonly sealing?: SealingBus;
}

const LOG_THREAD = new URL('./log/log-thread.ts', import.meta.url);
const SCHEMAS = fileURLToPath(new URL('../../../schemas/', import.meta.url));

/**
 * Opens the log that the settings name: on Kafka, else the embedded one under `<data>/log`. It is closed with the session. Without
 * a login, sealed files in buckets cannot be read.
 * @throws SettingError and the errors of `createKafkaBus`
 */
export async function openLog(
  data: string,
  session: Session,
  settings: Partial<LogSettings> = {},
): Promise<OpenLog> {
  const directory = resolve(data);
  const codec = logCodec();
  const kafka = hasKafka(settings) ? kafkaOptions(settings, session) : null;
  if (kafka) {
    // The client of Kafka takes a tenth of a second to load.
    const { createKafkaBus } = await import('../../log/kafka/kafka-bus.ts');
    const bus = await createKafkaBus(kafka);
    session.shutdown.add('log', () => bus.close());
    return { directory, bus, codec, kafka, transforming: bus };
  }
  makeDataDirectory(directory, session);
  const bus = await openLogFiles(join(directory, 'log'), settings);
  session.shutdown.add('log', () => bus.close());
  return { directory, bus, codec, sealing: bus, rawMover: rawMover(directory, toStoreSettings(settings)) };
}

/** Opens an embedded log in a folder. The caller closes it. */
export function openLogFiles(directory: string, settings: Partial<RawSettings>): Promise<SealingBus> {
  const reading = { settings: toStoreSettings(settings), cacheBytes: (settings.rawCacheMb ?? 0) * 2 ** 20 };
  return openEmbeddedBus({ directory, thread: LOG_THREAD, reading });
}

/** Login of the buckets with sealed files. */
function toStoreSettings(settings: Partial<RawSettings>): S3Settings {
  const { s3Endpoint, s3Region = '', s3AccessKey, s3SecretKey, s3SessionToken } = settings;
  return { s3Endpoint, s3Region, s3AccessKey, s3SecretKey, s3SessionToken };
}

function hasKafka(settings: Partial<LogSettings>): settings is Partial<LogSettings> & KafkaSettings {
  return settings.kafka !== undefined;
}

/** Codec of the log's records. */
export function logCodec(): AvroCodec {
  return new AvroCodec(loadSchemas(SCHEMAS));
}

/**
 * Creates a missing data directory, private to this user; warns if others have access.
 * @throws SettingError
 */
export function makeDataDirectory(directory: string, { log }: Pick<Session, 'log'>): void {
  try {
    const shared = ensurePrivateDirectory(directory);
    if (!shared) enablePrivateCompileCache(join(directory, 'code'));
    else log.warn(shared, 'other users may look into the data directory: give it mode 700, or name another');
  } catch (cause) {
    throw new SettingError(
      '--data',
      { found: directory, allowed: 'a folder that can be made or written', origin: 'the settings' },
      { cause },
    );
  }
}

/** No log exists under the prefix yet. */
export class EmptyKafkaLogError extends DataError {
  readonly brokers: readonly string[];
  readonly prefix: string;
  constructor({ brokers, prefix }: KafkaBusOptions) {
    super(`no log under the prefix ${prefix} at ${brokers.join(',')}: \`tonhouse topics SOURCE\` makes it`);
    this.brokers = brokers;
    this.prefix = prefix;
  }
}

/** The data directory has no index yet. */
export class EmptyDataDirectoryError extends DataError {
  readonly directory: string;
  constructor(directory: string) {
    super(`${directory} contains no index: fill it with \`tonhouse index SOURCE --data ${directory}\``);
    this.directory = directory;
  }
}

/**
 * The identity of the log.
 * @throws EmptyDataDirectoryError, EmptyKafkaLogError if there is none yet
 */
export async function requireIdentity({ bus, directory, kafka }: OpenLog): Promise<LogIdentity> {
  const identity = await bus.identity();
  if (identity) return identity;
  throw kafka ? new EmptyKafkaLogError(kafka) : new EmptyDataDirectoryError(directory);
}
