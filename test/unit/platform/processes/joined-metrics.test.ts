import { expect, it } from 'vitest';
import { Metrics } from '../../../../src/platform/observability/metrics/metrics.ts';

it('sums what each process has, and shows the highest of what all see', async () => {
  const processes = [1, 4].map((share) => {
    const metrics = new Metrics();
    metrics
      .counter({ name: 'requests_total', help: 'Requests', labels: ['route'] })
      .inc({ route: 'a' }, share);
    metrics.durations({ name: 'request_seconds', help: 'Time' }).observe(share);
    metrics.gauge({ name: 'connections', help: 'Connections', together: 'sum' }, () => share);
    metrics.gauge({ name: 'head', help: 'Newest block' }, () => share);
    metrics.gauge({ name: 'unknown', help: 'Never known' }, () => null);
    return metrics;
  });
  const text = await Metrics.join(await Promise.all(processes.map((one) => one.read())));
  expect(text).toMatch(/^requests_total\{route="a"\} 5$/m);
  expect(text).toMatch(/^request_seconds_count 2$/m);
  expect(text).toMatch(/^request_seconds_sum 5$/m);
  expect(text).toMatch(/^connections 5$/m);
  expect(text).toMatch(/^head 4$/m);
  expect(text).not.toMatch(/^unknown /m);
});
