import { expect, it } from 'vitest';
import { NoClusterServerError, openSessionStore } from '../../../src/cli/compose/store.ts';
import { resolveSettings } from '../../../src/platform/config/resolve-settings.ts';
import { SettingError } from '../../../src/platform/config/setting.ts';
import { namesIn } from '../../../src/platform/config/settings.ts';
import { Metrics } from '../../../src/platform/observability/metrics/metrics.ts';
import { Shutdown } from '../../../src/platform/observability/shutdown.ts';

const SETTINGS = resolveSettings(namesIn('store', 's3'), {}, {});

function open(settings: Partial<Parameters<typeof openSessionStore>[1]>) {
  const shutdown = new Shutdown();
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const { signal } = shutdown;
  const session = { log, shutdown, signal, owner: 'test', metrics: new Metrics() };
  return openSessionStore('nowhere', { ...SETTINGS, ...settings }, session);
}

it('the embedded server is not checked for a cluster', async () => {
  await expect(open({ clickhouseCluster: 'tonhouse' })).rejects.toThrow(NoClusterServerError);
});

it.each([
  'http://user:secret@127.0.0.1:1',
  'http://user@127.0.0.1:1',
  'https://u%40b:secret@127.0.0.1:1/path',
])('refuses an address with credentials, and does not print them: %s', async (clickhouseUrl) => {
  const error = await open({ clickhouseUrl }).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(SettingError);
  expect(String(error)).toContain('--clickhouse-user');
  expect(String(error)).not.toContain('secret');
});
