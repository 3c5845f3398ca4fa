import perfHooks from 'node:perf_hooks';
import { describe, expect, it, vi } from 'vitest';
import { CachedRead, ReadTooSlowError } from '../../../../src/platform/observability/metrics/cached-read.ts';
import { Metrics } from '../../../../src/platform/observability/metrics/metrics.ts';

const lines = async (metrics: Metrics, name: string) =>
  (await metrics.text()).split('\n').filter((line) => line.startsWith(name));

describe('Metrics', () => {
  it('reads gauges at each scrape and shows the series of the last read only', async () => {
    const metrics = new Metrics();
    let lag = [
      { labels: { lane: 0 }, value: 4 },
      { labels: { lane: 1 }, value: 2 },
    ];
    metrics.gauge({ name: 'tonhouse_lag', help: 'lag', labels: ['lane'] }, () => lag);
    expect(await lines(metrics, 'tonhouse_lag')).toEqual([
      'tonhouse_lag{lane="0"} 4',
      'tonhouse_lag{lane="1"} 2',
    ]);
    lag = [{ labels: { lane: 1 }, value: 0 }];
    expect(await lines(metrics, 'tonhouse_lag')).toEqual(['tonhouse_lag{lane="1"} 0']);
  });

  it('shows no value where one is not known or cannot be read, and counts what failed', async () => {
    const metrics = new Metrics();
    metrics.gauge({ name: 'tonhouse_unknown', help: 'not known' }, () => null);
    metrics.gauge({ name: 'tonhouse_failing', help: 'fails' }, async () => {
      throw new Error('away');
    });
    metrics.gauge({ name: 'tonhouse_good', help: 'known' }, () => 7);
    await metrics.text();
    expect(await lines(metrics, 'tonhouse_unknown')).toEqual([]);
    expect(await lines(metrics, 'tonhouse_failing')).toEqual([]);
    expect(await lines(metrics, 'tonhouse_good')).toEqual(['tonhouse_good 7']);
    const [failures] = await lines(metrics, 'tonhouse_metrics_read_failures_total');
    expect(failures).toContain('{metric="tonhouse_failing"}');
  });

  it('keeps two processes of one program apart, and adds the process once', async () => {
    const [one, other] = [new Metrics(), new Metrics()];
    for (const metrics of [one, other]) metrics.counter({ name: 'tonhouse_seen_total', help: 'seen' }).inc();
    one.addProcess();
    one.addProcess();
    expect(await lines(one, 'tonhouse_seen_total')).toEqual(['tonhouse_seen_total 1']);
    expect(await lines(one, 'process_cpu_seconds_total')).toHaveLength(1);
    expect(await lines(other, 'process_cpu_seconds_total')).toEqual([]);
  });

  it('counts what the process does from the first scrape on, which knows of the event loop already', async () => {
    const metrics = new Metrics();
    const watched = vi.spyOn(perfHooks, 'monitorEventLoopDelay');
    metrics.addProcess();
    expect(watched).not.toHaveBeenCalled();
    const [lag = ''] = await lines(metrics, 'nodejs_eventloop_lag_max_seconds');
    const seconds = Number(lag.split(' ')[1]);
    expect([lag, seconds > 0 && seconds < 3_600]).toEqual([lag, true]);
    await metrics.text();
    expect(watched).toHaveBeenCalledOnce();
    watched.mockRestore();
  });
});

describe('CachedRead', () => {
  it('reads once for all who ask at a time, and again when the value is old', async () => {
    let reads = 0;
    const cached = new CachedRead(async () => ++reads, { maxAgeMs: 20 });
    expect(await Promise.all([cached.value(), cached.value()])).toEqual([1, 1]);
    expect(await cached.value()).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(await cached.value()).toBe(2);
  });

  it('does not hold a scrape up: what comes late serves the next one', async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const cached = new CachedRead(() => promise, { maxAgeMs: 10_000, waitMs: 10 });
    await expect(cached.value()).rejects.toBeInstanceOf(ReadTooSlowError);
    resolve(5);
    expect(await cached.value()).toBe(5);
  });

  it('reads again after a failure', async () => {
    let reads = 0;
    const cached = new CachedRead(
      async () => {
        if (++reads === 1) throw new Error('away');
        return reads;
      },
      { maxAgeMs: 10_000 },
    );
    await expect(cached.value()).rejects.toThrow('away');
    expect(await cached.value()).toBe(2);
  });
});
