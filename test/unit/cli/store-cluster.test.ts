import { expect, it } from 'vitest';
import { NoClusterServerError, openSessionStore } from '../../../src/cli/compose/store.ts';
import { Metrics } from '../../../src/platform/observability/metrics/metrics.ts';
import { Shutdown } from '../../../src/platform/observability/shutdown.ts';

it('a cluster is not looked for in the embedded server', async () => {
  const shutdown = new Shutdown();
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const settings = {
    clickhouseUrl: undefined,
    clickhouseUser: 'default',
    clickhousePassword: undefined,
    clickhouseMemoryMb: 512,
    clickhouseCluster: 'tonhouse',
  };
  const opened = openSessionStore('nowhere', settings, {
    log,
    shutdown,
    signal: shutdown.signal,
    owner: 'test',
    metrics: new Metrics(),
  });
  await expect(opened).rejects.toThrow(NoClusterServerError);
});
