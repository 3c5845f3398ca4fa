import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AvroCodec } from '../../platform/avro/avro-codec.ts';
import { loadSchemas } from '../../platform/avro/schema-files.ts';
import { openEmbeddedBus } from '../../platform/bus/embedded/embedded-bus.ts';
import type { Bus, LogIdentity } from '../../platform/bus/port.ts';
import type { Session } from './session.ts';

/** The log of a data directory, opened for this session. */
export interface OpenLog {
  readonly directory: string;
  readonly bus: Bus;
  readonly codec: AvroCodec;
}

const SCHEMAS = fileURLToPath(new URL('../../../schemas/', import.meta.url));

/** Opens the embedded log under `<data>/log`; it is closed with the session. */
export async function openLog(data: string, session: Session): Promise<OpenLog> {
  const directory = resolve(data);
  mkdirSync(directory, { recursive: true });
  const bus = await openEmbeddedBus({ directory: join(directory, 'log') });
  session.shutdown.add('log', () => bus.close());
  return { directory, bus, codec: new AvroCodec(loadSchemas(SCHEMAS)) };
}

/** The data directory has no index yet. */
export class EmptyDataDirectoryError extends Error {
  override readonly name = 'EmptyDataDirectoryError';
  readonly directory: string;
  constructor(directory: string) {
    super(`${directory} holds no index: fill it with \`tonhouse index SOURCE --data ${directory}\``);
    this.directory = directory;
  }
}

/** The identity that the log was made with. Throws `EmptyDataDirectoryError` where nothing was indexed. */
export async function requireIdentity({ bus, directory }: OpenLog): Promise<LogIdentity> {
  const identity = await bus.identity();
  if (!identity) throw new EmptyDataDirectoryError(directory);
  return identity;
}
