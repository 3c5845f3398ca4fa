import { resolve } from 'node:path';
import { PROJECTIONS } from '../../../../pipelines/projections.ts';
import { applyTier, keepCold, moveOnce } from '../../../engine/cold-volume/keep-cold.ts';
import type { ColdTier } from '../../../engine/projection/cold-tier.ts';
import type { LogIdentity } from '../../../log/port.ts';
import type { StoreClient } from '../../../platform/clickhouse/client.ts';
import { DEFAULT_POLICY } from '../../../platform/clickhouse/cold-volume.ts';
import type { ColdPlace } from '../../../platform/clickhouse/embedded/cold-place.ts';
import { retryStore } from '../../../platform/clickhouse/retry-store.ts';
import { SettingError } from '../../../platform/config/setting.ts';
import type { SettingsIn, SettingValues } from '../../../platform/config/settings.ts';
import { readS3Location } from '../../../platform/object-store/s3-location.ts';
import { agingTables } from '../../../tables/aging-tables.ts';
import type { Session } from '../../session.ts';
import { storeRetry } from '../store-retry.ts';

/** Settings of the cold volume. */
export type ColdSettings = Partial<SettingValues<'cold' | 'coldAfter' | 'clickhouseUrl'>>;

/** The cold volume of an embedded store, and the login of a bucket. */
type PlaceSettings = Pick<ColdSettings, 'cold'> & SettingsIn<'s3'>;

const ORIGIN = 'the settings';
const POLICY = /^[A-Za-z][\w-]{0,63}$/;

/** Place of the embedded store's cold volume; undefined without `--cold`. @throws SettingError, S3LocationError */
export function coldPlace({ cold, ...settings }: PlaceSettings): ColdPlace | undefined {
  if (cold === undefined) return undefined;
  if (!/^\w+:\/\//.test(cold)) return { folder: resolve(cold) };
  const { url, prefix, bucket: _, ...login } = readS3Location(cold, settings, '--cold');
  return { name: cold.replace(/\/+$/, ''), endpoint: `${url}/${prefix}`, ...login };
}

/** Where old parts of tables move; null without `--cold`. @throws SettingError */
export function coldTier({ cold, coldAfter, clickhouseUrl }: ColdSettings): ColdTier | null {
  if (cold === undefined || coldAfter === undefined) return null;
  if (clickhouseUrl !== undefined && !POLICY.test(cold))
    throw new SettingError('--cold', {
      found: cold,
      allowed: 'with --clickhouse-url, the name of a storage policy of the server',
      origin: ORIGIN,
    });
  const policy = clickhouseUrl === undefined ? DEFAULT_POLICY : cold;
  return { policy, afterSeconds: coldAfter, tables: agingTables };
}

/** A store whose old parts move. */
interface MovedStore {
  readonly client: StoreClient;
  readonly identity: LogIdentity;
}

/**
 * Lets old parts of all tables move as the settings say. Without `--cold` nothing is changed: another process may have it.
 * @throws SettingError, ColdVolumeError
 */
export async function setColdTier(
  store: MovedStore,
  settings: ColdSettings,
  session: Session,
): Promise<void> {
  const tier = coldTier(settings);
  if (!tier) return;
  await retryStore(() => applyTier({ ...store, projections: PROJECTIONS }, tier), storeRetry(session));
}

/** At the end of a load: moves what the server does not move by itself. */
export async function moveColdTier(
  store: MovedStore,
  settings: ColdSettings,
  session: Session,
): Promise<void> {
  const tier = coldTier(settings);
  if (!tier || store.client.cluster !== null || session.signal.aborted) return;
  const all = { ...store, projections: PROJECTIONS };
  await retryStore(() => moveOnce(all, tier, session.signal), storeRetry(session));
}

/** Moves what the server does not move by itself, until `signal` aborts. */
export async function keepColdTier(
  store: MovedStore,
  settings: ColdSettings,
  { log }: Pick<Session, 'log'>,
  signal: AbortSignal,
): Promise<void> {
  const tier = coldTier(settings);
  if (tier && store.client.cluster === null)
    await keepCold({ ...store, projections: PROJECTIONS }, tier, log, signal);
}
