import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ANALYST } from '../../platform/clickhouse/analyst-profile.ts';
import { createStoreClient, type StoreClient } from '../../platform/clickhouse/client.ts';
import type { StoreClientOptions } from '../../platform/clickhouse/client-options.ts';
import { openSupervisedStore } from '../../platform/clickhouse/embedded/supervised-store.ts';
import { UNRESPONSIVE_MS } from '../../platform/clickhouse/embedded/unresponsive-watch.ts';
import { queryMetrics } from '../../platform/clickhouse/query-metrics.ts';
import { readOnlyClient } from '../../platform/clickhouse/read-only-client.ts';
import { READER } from '../../platform/clickhouse/reader-profile.ts';
import { SettingError } from '../../platform/config/setting.ts';
import type { SettingsIn } from '../../platform/config/settings.ts';
import { ConflictError } from '../../platform/errors/error-kinds.ts';
import { ensurePrivateDirectory } from '../../platform/files/private-directory.ts';
import { WRITER_NICENESS } from '../../platform/threads/niceness.ts';
import type { Session } from '../session.ts';
import { coldPlace } from './volumes/cold-tier.ts';

/** Store settings: the embedded server of the data directory, or a given one. */
export type StoreSettings = SettingsIn<'store' | 's3'>;

/** Read-only user of a given server; the embedded one has a reader of its own. */
export type ReaderSettings = SettingsIn<'reader'>;

/** A cluster was named, but no server of it. */
export class NoClusterServerError extends ConflictError {
  constructor(cluster: string) {
    super(
      `cluster ${cluster} needs one of its servers (--clickhouse-url): the embedded server has no cluster`,
    );
  }
}

const FLUSH_MS = 60_000;
/**
 * Concurrent inserts and reads of new steps in a store on this machine: more are not faster than its processors, and
 * answers would wait for a processor (docs/decisions/0087).
 */
const SMALL_AT_ONCE = Math.max(2, availableParallelism());

/** Opens the store for this session: attaches to a server, or starts it and keeps it running. `niceness`: of the client. */
export async function openSessionStore(
  directory: string,
  settings: StoreSettings,
  session: Session,
  niceness?: number,
): Promise<StoreClient> {
  const { owner } = await findStore(directory, settings, session);
  return connectOwner({ ...owner, ...(niceness !== undefined && { niceness }) }, settings, session);
}

/** Opens the store for this session as `openSessionStore` does; nothing can be changed through the client. */
export async function openReadStore(
  directory: string,
  settings: StoreSettings,
  session: Session,
): Promise<StoreClient> {
  const { owner } = await findStore(directory, settings, session);
  return readOnlyClient(connect(owner, settings, session));
}

/** The store as a process needs it that answers from it: `client` migrates and writes, `reader` answers. */
export interface ServedStore {
  readonly client: StoreClient;
  /** Client of the read-only user; the same as `client` if the given server has no such user. */
  readonly reader: StoreClient;
  /** How analysts reach the store. */
  readonly analysts: AnalystAccess;
}

/** Address and accounts of the store for the SQL endpoint. */
export interface AnalystAccess {
  readonly url: string;
  readonly owner: { readonly user: string; readonly password: string };
  /** Account in the DDL of the views' look-ups: the reader if there is one, since whoever reads the DDL has its password. */
  readonly lookups: { readonly user: string; readonly password: string };
  /** The embedded server's analyst; absent on a given server, where the owner creates one. */
  readonly analyst?: { readonly user: string; readonly password: string };
}

/** Opens the store for a session that answers from it. */
export async function openServedStore(
  directory: string,
  settings: StoreSettings & ReaderSettings,
  session: Session,
): Promise<ServedStore> {
  const { owner, reader, analyst } = await findStore(directory, settings, session);
  const client = connectOwner(owner, settings, session);
  const { url, user = 'default', password = '' } = owner;
  const account = { user, password };
  const lookups = { ...account, ...(reader && { user: reader.user, password: reader.password ?? '' }) };
  const analysts = { url, owner: account, lookups, ...(analyst && { analyst }) };
  if (reader)
    return { client, analysts, reader: connect({ ...reader, isConfined: true }, settings, session) };
  session.log.warn(
    { user: owner.user },
    'answers are read as a user who may write: see --clickhouse-read-user and docs/cluster.md',
  );
  return { client, analysts, reader: client };
}

interface FoundStore {
  readonly owner: StoreClientOptions;
  readonly reader: StoreClientOptions | null;
  readonly analyst?: AnalystAccess['analyst'];
}

/** The client sends the user and the password of the settings: it would ignore those of an address. @throws SettingError */
function refuseCredentials(url: string): void {
  if (!URL.canParse(url)) return;
  const { username, password } = new URL(url);
  if (username === '' && password === '') return;
  throw new SettingError('--clickhouse-url', {
    // The address itself would show the password.
    found: 'an address with a user or a password',
    allowed: 'an address without them: set --clickhouse-user and --clickhouse-password',
    origin: 'the settings',
  });
}

async function findStore(
  directory: string,
  settings: StoreSettings & Partial<ReaderSettings>,
  session: Session,
): Promise<FoundStore> {
  if (settings.clickhouseCluster && !settings.clickhouseUrl)
    throw new NoClusterServerError(settings.clickhouseCluster);
  if (settings.clickhouseUrl) {
    refuseCredentials(settings.clickhouseUrl);
    const { clickhouseUrl: url, clickhouseReadUser: user, clickhouseReadPassword: password = '' } = settings;
    return {
      owner: { url, user: settings.clickhouseUser, password: settings.clickhousePassword ?? '' },
      reader: user === undefined ? null : { url, user, password },
    };
  }
  ensurePrivateDirectory(directory);
  const store = await openSupervisedStore(
    {
      directory: join(directory, 'clickhouse'),
      memoryLimitBytes: settings.clickhouseMemoryMb * 2 ** 20,
      unresponsiveMs: settings.clickhouseUnresponsiveMs ?? UNRESPONSIVE_MS,
      cold: coldPlace(settings),
      ...(settings.lakeDatabase !== undefined && { lakeDatabase: settings.lakeDatabase }),
      log: (message: string) => session.log.debug({}, message),
    },
    session,
  );
  const { url, user, password } = store;
  return {
    // The directory is on this machine: confirmed data is flushed to its disk, and writes yield to answers.
    owner: {
      url,
      user,
      password,
      directory: store.directory,
      smallAtOnce: SMALL_AT_ONCE,
      niceness: WRITER_NICENESS,
    },
    reader: { url, user: READER, password: store.readPassword },
    ...(store.analystPassword !== undefined && {
      analyst: { user: ANALYST, password: store.analystPassword },
    }),
  };
}

function connect(options: StoreClientOptions, settings: StoreSettings, session: Session): StoreClient {
  const { shutdown, metrics } = session;
  const cluster = settings.clickhouseCluster ?? null;
  const client = createStoreClient({ ...options, cluster, onQuery: queryMetrics(metrics) });
  shutdown.add('store client', () => client.close());
  return client;
}

function connectOwner(options: StoreClientOptions, settings: StoreSettings, session: Session): StoreClient {
  const client = connect(options, settings, session);
  session.shutdown.add('flushing', flushMerges(client, session));
  return client;
}

/**
 * Parts that were merged into another are deleted eight minutes later: by then the other is on the disk, even where
 * nothing is confirmed any more.
 */
function flushMerges(client: StoreClient, { log }: Session): () => void {
  const flush = () => client.flush().catch((error: unknown) => log.error({ error }, 'the disk'));
  const timer = setInterval(() => void flush(), FLUSH_MS);
  timer.unref();
  return () => clearInterval(timer);
}
