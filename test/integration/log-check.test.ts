import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BASE } from '../../pipelines/base.ts';
import { runCapture } from '../../src/capture/capture-stage.ts';
import { openLog } from '../../src/cli/compose/data-directory.ts';
import { openSource } from '../../src/cli/compose/open-source.ts';
import { Metrics } from '../../src/platform/observability/metrics/metrics.ts';
import { Shutdown } from '../../src/platform/observability/shutdown.ts';
import { checkLog, type LogCheckResult } from '../../src/projections/base/verify/log-check.ts';
import { quietLog } from '../helpers/replay-store.ts';
import { describeWithChain } from '../helpers/shared-data.ts';

describeWithChain('verify --log', (chain) => {
  let directory: string;

  /** Does something with the log, and closes it. */
  async function withLog<T>(
    work: (log: Awaited<ReturnType<typeof openLog>>, signal: AbortSignal) => Promise<T>,
  ) {
    const shutdown = new Shutdown();
    try {
      const log = await openLog(directory, {
        log: quietLog,
        shutdown,
        signal: shutdown.signal,
        owner: 'test',
        metrics: new Metrics(),
      });
      return await work(log, shutdown.signal);
    } finally {
      await shutdown.close(() => {});
    }
  }

  const check = (): Promise<LogCheckResult> =>
    withLog(({ bus, codec }, signal) => checkLog({ bus, codec, topic: BASE.reads, onProgress() {}, signal }));

  const segments = (): string[] =>
    readdirSync(join(directory, 'log/segments'))
      .filter((name) => name.endsWith('.sqlite'))
      .map((name) => join(directory, 'log/segments', name));

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'tonhouse-log-check-'));
    await withLog(async (log, signal) => {
      const source = await openSource(chain.source);
      await runCapture({
        ...log,
        source,
        network: undefined,
        states: [],
        identity: { epochSize: 20, lanes: 2 },
        owner: 'capture',
        signal,
        log: quietLog,
      });
      await source.close();
    });
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('finds nothing in a log that is whole', async () => {
    const { records, problems } = await check();
    expect(problems).toBe(0);
    expect(records).toBeGreaterThan(100);
  });

  it('finds one altered byte of one block', async () => {
    const segment = new DatabaseSync(segments()[1]!);
    const { offset, value } = segment
      .prepare('SELECT offset, value FROM records ORDER BY offset LIMIT 1 OFFSET 3')
      .get() as { offset: number; value: Uint8Array };
    value[value.length >> 1]! ^= 1;
    segment.prepare('UPDATE records SET value = ? WHERE offset = ?').run(value, offset);
    segment.close();
    const { problems, samples } = await check();
    expect(problems).toBe(1);
    expect(samples[0]).toContain(`offset ${offset}`);
    expect(samples[0]).toContain('hash');
  });

  it('finds a missing record, a missing segment and a cut segment', async () => {
    const [first, second, third] = segments();
    const segment = new DatabaseSync(first!);
    segment.exec('DELETE FROM records WHERE offset = (SELECT min(offset) + 1 FROM records)');
    segment.close();
    rmSync(second!);
    truncateSync(third!, statSync(third!).size / 2);
    const { samples } = await check();
    for (const file of [first, second, third]) expect(samples.join('\n')).toContain(file);
  });

  it('finds coordination that does not belong to the segments', async () => {
    const log = new DatabaseSync(join(directory, 'log/log.sqlite'));
    log.exec('UPDATE lanes SET next = next + 7 WHERE lane = 0');
    log.close();
    const { samples } = await check();
    expect(samples.join('\n')).toContain('lane 0: the last segment ends at');
  });
});
