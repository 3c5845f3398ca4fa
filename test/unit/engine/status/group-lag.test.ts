import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { BASE } from '../../../../pipelines/base.ts';
import { RepairLease } from '../../../../src/engine/repair/repair-lease.ts';
import { lagByGroup } from '../../../../src/engine/status/group-lag.ts';
import { addLogMetrics } from '../../../../src/engine/status/log-metrics.ts';
import { openEmbeddedBus } from '../../../../src/log/sqlite/embedded-bus.ts';
import { Metrics } from '../../../../src/platform/observability/metrics/metrics.ts';
import { appendSteps } from '../../../helpers/copy-log.ts';

const directory = mkdtempSync(join(tmpdir(), 'tonhouse-lag-'));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

it('has no group that only guards corrections, repairs and retries: it commits nothing', async () => {
  const bus = await openEmbeddedBus({ directory });
  await bus.establish({ network: 'lag_test', id: 'none', epochSize: 10, lanes: 1, facts: {} });
  const record = (key: string) => ({ key, headers: {}, value: new Uint8Array(8) });
  const step = (position: number) => ({ position, epoch: 0, lane: 0, records: [record(`${position}`)] });
  await appendSteps(bus, [step(1), step(2)], 2);
  const options = { topic: BASE.reads, group: BASE.group, owner: 'reader', sessionMs: 60_000 };
  const reader = await bus.consumer(options);
  await reader.claim();
  const scope = { owner: 'corrections', signal: new AbortController().signal };
  const lease = await RepairLease.take({ bus, projection: BASE }, 60_000, scope);
  expect((await bus.lag()).map(({ group }) => group)).toContain(`${BASE.group}-retry`);
  expect(await lagByGroup(bus)).toEqual({ [BASE.group]: 2 });
  const metrics = new Metrics();
  addLogMetrics(metrics, bus, [BASE]);
  const text = await metrics.text();
  expect(text).toContain(`group="${BASE.group}"`);
  expect(text).not.toContain('-retry');
  await lease.release();
  await reader.release();
  await bus.close();
});
