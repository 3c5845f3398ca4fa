import { PROJECTIONS, TOPIC_PROJECTIONS } from '../../../pipelines/projections.ts';
import { namingAddress } from '../../api/http/connections/listen-address.ts';
import { startMetricsServer } from '../../api/metrics-server.ts';
import { addLogMetrics } from '../../engine/status/log-metrics.ts';
import type { Bus } from '../../log/port.ts';
import type { SettingsIn, SettingValues } from '../../platform/config/settings.ts';
import type { Session } from '../session.ts';

/** Address of a process's metrics apart from the API. */
export type MetricsSettings = SettingsIn<'metrics'> & Partial<SettingValues<'allowedHost'>>;

/** Adds metrics of the log, and answers `/metrics` on a separate address if one is set, until the session ends. */
export async function showMetrics(bus: Bus, settings: MetricsSettings, session: Session): Promise<void> {
  const { metrics, shutdown, log, peers } = session;
  metrics.addProcess();
  addLogMetrics(metrics, bus, [...PROJECTIONS, ...TOPIC_PROJECTIONS]);
  const { metricsHost: host, metricsPort: port, allowedHost = [] } = settings;
  if (port === undefined) return;
  const address = { prefix: 'metrics', host, port } as const;
  const { url, close } = await namingAddress(address, () =>
    startMetricsServer(metrics, { host, port, allowedHost, peers }),
  );
  shutdown.add('metrics', close);
  log.info({ metrics: `${url}/metrics` }, 'showing metrics');
}
