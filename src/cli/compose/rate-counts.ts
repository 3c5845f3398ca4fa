import { join, resolve } from 'node:path';
import { MAX_CLIENTS, WINDOW_MS } from '../../api/http/fairness/rate-limits.ts';
import type { RateCounts } from '../../api/rate-counts.ts';
import type { LogIdentity } from '../../log/port.ts';
import type { SettingValues } from '../../platform/config/settings.ts';
import { SharedCounts } from '../../platform/counts/shared-counts.ts';
import type { Session } from '../session.ts';

/** Where requests of clients are counted. */
export type RateSettings = SettingValues<'data' | 'rateLimitRedis'>;

/**
 * Counts of clients: of all servers with the same Redis, or of the processes of a data directory, which also count
 * while that Redis is away.
 */
export async function openCounts(
  { data, rateLimitRedis: url }: RateSettings,
  { network }: LogIdentity,
  { log, shutdown }: Session,
): Promise<RateCounts> {
  const shared = new SharedCounts({
    path: join(resolve(data), 'rates.sqlite'),
    windowMs: WINDOW_MS,
    mostNames: MAX_CLIENTS,
    onError: (error) =>
      log.warn({ error }, 'only this process counts the requests of its clients for a while'),
  });
  shutdown.add('rates', async () => shared.close());
  if (url === undefined) return shared;
  // The client of Redis takes a tenth of a second to load.
  const { RedisCounts } = await import('../../platform/counts/redis-counts.ts');
  const counts = await RedisCounts.open(url, {
    prefix: `tonhouse:${network}:rate:`,
    windowMs: WINDOW_MS,
    meanwhile: shared,
    onError: (error) =>
      log.warn(
        { error },
        'Redis does not count: requests of clients are counted by the data directory for a while',
      ),
  });
  shutdown.add('redis', async () => counts.close());
  return counts;
}
