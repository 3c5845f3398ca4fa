import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenLog } from '../../src/cli/compose/data-directory.ts';
import type { Session } from '../../src/cli/session.ts';
import { PooledDecoder } from '../../src/engine/decoding/pooled-decoder.ts';
import { workerCount } from '../../src/engine/decoding/start-decoder.ts';
import { tableMember } from '../../src/engine/lanes/lane-options.ts';
import { runMember } from '../../src/engine/lanes/run-member.ts';
import { getPartitions, type TableProjection } from '../../src/engine/projection/projection.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { resolveSettings } from '../../src/platform/config/resolve-settings.ts';
import { namesIn } from '../../src/platform/config/settings.ts';
import { BenchError } from '../common/bench-error.ts';
import type { BenchStore } from '../common/bench-store.ts';
import { UsageSampler, type UsageSummary } from '../common/process-usage.ts';
import type { MovingOptions, PlanOptions } from '../ingest/moving-options.ts';
import type { ChainPlan } from '../synthetic/chain-plan.ts';

const POLL_INTERVAL_MS = 50;

export interface BenchIndex {
  readonly log: OpenLog;
  readonly store: BenchStore;
  readonly plan: ChainPlan;
  readonly planned: PlanOptions;
}

export interface ProjectionRun {
  readonly seconds: number;
  /** Memory of this process; null if the system does not report it. */
  readonly usage: UsageSummary | null;
}

/**
 * From the log into the store, until every step is confirmed. `module`: the projection's own decoder, whose rows are moved
 * to their place in the synthetic chain.
 */
export async function runProjection(
  projection: TableProjection,
  module: URL,
  { log, store, plan, planned }: BenchIndex,
  session: Session,
): Promise<ProjectionRun> {
  const settings = resolveSettings(namesIn('decoder'), {});
  const { identity } = plan;
  const options: MovingOptions = {
    decoder: projection.decoder.buildOptions(identity, settings) as MovingOptions['decoder'],
    plan: planned,
    times: new SharedArrayBuffer(16),
  };
  const decoder = await PooledDecoder.start({
    module: module.href,
    options,
    workers: Math.max(1, workerCount(settings.decodeWorkers)),
    onWorkerCrash: (text) => process.stderr.write(`${text}\n`),
  });
  const letters = { count: 0 };
  const parts = {
    ...log,
    projection,
    identity,
    owner: session.owner,
    log: session.log,
    client: store.client,
  };
  const onBatch = ({ counts }: { counts: { deadLetters: number } }) => {
    letters.count += counts.deadLetters;
  };
  const member = await tableMember(parts, settings, { onBatch }, decoder);
  const stop = new AbortController();
  const sampler = new UsageSampler({ node: process.pid });
  const start = performance.now();
  const running = runMember(member, AbortSignal.any([session.signal, stop.signal]));
  const done = async () => {
    while (!(await isConfirmed(projection, { store, plan })))
      if (letters.count > 0) throw new BenchError(`${projection.name}: dead letters`);
      else await sleep(POLL_INTERVAL_MS);
  };
  await Promise.race([done(), running]);
  const seconds = (performance.now() - start) / 1000;
  stop.abort();
  await running;
  return { seconds, usage: sampler.stop().node ?? null };
}

/** Steps that every partition, or all lanes together, have confirmed. */
async function isConfirmed(
  projection: TableProjection,
  { store, plan }: Pick<BenchIndex, 'store' | 'plan'>,
): Promise<boolean> {
  const database = getDatabase(plan.identity, projection);
  const { rows } = await store.client.queryRows<[string]>(
    `SELECT toString(sum(last - first + 1)) FROM ${database}.confirmed FINAL`,
    { route: 'bench' },
  );
  return Number(rows[0]?.[0] ?? 0) >= plan.steps * (getPartitions(projection) ?? 1);
}
