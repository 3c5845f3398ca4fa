import type { Metrics } from '../platform/observability/metrics/metrics.ts';
import type { CaptureProgress } from './capture-stage.ts';

/** Counts the blocks that this process appended to the log; called with the progress of one run. */
export function captureMetrics(metrics: Metrics): (progress: CaptureProgress) => void {
  const blocks = metrics.counter({
    name: 'tonhouse_captured_blocks_total',
    help: 'Blocks that this process appended to the log',
  });
  let last: CaptureProgress | null = null;
  metrics.gauge(
    { name: 'tonhouse_captured_last_seqno', help: 'Masterchain seqno of the last step that was appended' },
    () => last?.mcSeqno ?? null,
  );
  return (progress) => {
    blocks.inc(progress.blocks - (last?.blocks ?? 0));
    last = progress;
  };
}
