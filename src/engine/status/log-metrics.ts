import type { Bus, GroupLag } from '../../log/port.ts';
import { CachedRead } from '../../platform/observability/metrics/cached-read.ts';
import type { Metrics } from '../../platform/observability/metrics/metrics.ts';
import type { ProjectionFacts } from '../projection/projection.ts';
import { hasGroup } from '../versions/version-names.ts';
import { readGroupLag } from './group-lag.ts';

const LAG_AGE_MS = 1_000;
/** Looking at every file of the log, or asking the brokers, is worth it this often. */
const SIZE_AGE_MS = 30_000;

/** Adds the metrics of the whole log, the same in each process that opens it: the lag of every group, and its size. */
export function addLogMetrics(
  metrics: Metrics,
  bus: Pick<Bus, 'lag' | 'size'>,
  projections: readonly Pick<ProjectionFacts, 'name' | 'group'>[],
): void {
  const lag = new CachedRead(() => readGroupLag(bus), { maxAgeMs: LAG_AGE_MS });
  const size = new CachedRead(() => bus.size(), { maxAgeMs: SIZE_AGE_MS });
  const getName = ({ group }: GroupLag) => projections.find((one) => hasGroup(one, group))?.name ?? group;
  metrics.gauge(
    {
      name: 'tonhouse_lag_records',
      help: 'Records of the log that a group has not confirmed, by lane (of a projection in chain order: partition)',
      labels: ['projection', 'group', 'lane'],
    },
    async () =>
      (await lag.value()).map((one) => ({
        labels: { projection: getName(one), group: one.group, lane: one.lane },
        value: one.end - one.committed,
      })),
  );
  metrics.gauge(
    {
      name: 'tonhouse_lane_owned',
      help: '1 if a live process works on the lane',
      labels: ['projection', 'group', 'lane'],
    },
    async () =>
      (await lag.value()).map((one) => ({
        labels: { projection: getName(one), group: one.group, lane: one.lane },
        value: one.owner === null ? 0 : 1,
      })),
  );
  metrics.gauge({ name: 'tonhouse_log_bytes', help: 'Bytes that the log keeps' }, () => size.value());
}

/** Dead letters of the whole log that wait to be retried; `count` reads their number. */
export function addDeadLetterMetric(metrics: Metrics, count: () => Promise<number>): void {
  const open = new CachedRead(count, { maxAgeMs: LAG_AGE_MS });
  metrics.gauge({ name: 'tonhouse_dead_letters_open', help: 'Records that could not be decoded' }, () =>
    open.value(),
  );
}
