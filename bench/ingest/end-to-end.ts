import { setTimeout as sleep } from 'node:timers/promises';
import { BASE } from '../../pipelines/base.ts';
import { openLog } from '../../src/cli/compose/data-directory.ts';
import { runSession, type Session } from '../../src/cli/session.ts';
import { PooledDecoder } from '../../src/engine/decoding/pooled-decoder.ts';
import { workerCount } from '../../src/engine/decoding/start-decoder.ts';
import type { DecoderSettings } from '../../src/engine/engine-parts.ts';
import { tableMember } from '../../src/engine/lanes/lane-options.ts';
import { runMember } from '../../src/engine/lanes/run-member.ts';
import { prepareStore } from '../../src/engine/versions/prepare-store.ts';
import type { LogIdentity } from '../../src/log/port.ts';
import { resolveSettings } from '../../src/platform/config/resolve-settings.ts';
import { namesIn } from '../../src/platform/config/settings.ts';
import { BenchError } from '../common/bench-error.ts';
import { openBenchStore } from '../common/bench-store.ts';
import { UsageSampler, type UsageSummary } from '../common/process-usage.ts';
import { Stopwatch } from '../common/stopwatch.ts';
import { planChain } from '../synthetic/chain-plan.ts';
import { feedLog } from '../synthetic/feed-log.ts';
import type { MovingOptions, PlanOptions } from './moving-options.ts';
import { threadCpu, threadCpuSince } from './thread-cpu.ts';
import { timedBus, timedClient } from './timed-parts.ts';

export interface EndToEndResult {
  readonly seconds: number;
  /** When the last block was in the log, seconds from the start. */
  readonly fedSeconds: number;
  readonly transactions: number;
  readonly messages: number;
  readonly batches: number;
  readonly deadLetters: number;
  readonly logBytes: number;
  /** Threads that decode. */
  readonly workers: number;
  /** CPU time of decoding and of moving rows (which only the bench does), ms over all threads. */
  readonly decode: number;
  readonly shift: number;
  /** CPU time of the process by name of thread, ms. */
  readonly threads: Readonly<Record<string, number>>;
  /** The main thread, ms by part. */
  readonly busy: Readonly<Record<string, number>>;
  /** Waits, ms by part; several go on side by side. */
  readonly waited: Readonly<Record<string, number>>;
  readonly usage: Readonly<Record<string, UsageSummary | null>>;
}

/** The whole way of the chain: into the log, out of it, decoded, into the store; ends when all of it is confirmed. */
export async function runEndToEnd(data: string, options: PlanOptions): Promise<EndToEndResult> {
  return runSession({ logLevel: 'warn' }, (session) => endToEnd(data, options, session));
}

async function endToEnd(data: string, planned: PlanOptions, session: Session): Promise<EndToEndResult> {
  const plan = planChain(planned.real, planned.transactions, planned.epochs, planned.network);
  const log = await openLog(data, session);
  const store = await openBenchStore(data);
  session.shutdown.add('store', () => store.close());
  if (await log.bus.identity())
    throw new BenchError(`${data} holds a log already: the ingest bench needs a new directory`);
  await log.bus.establish(plan.identity);
  await prepareStore(store.client, plan.identity, [BASE]);
  const times = new Stopwatch();
  const sum = { transactions: 0, messages: 0, batches: 0, deadLetters: 0 };
  const settings = resolveSettings(namesIn('decoder'), {});
  const decodeTimes = new SharedArrayBuffer(16);
  const member = await tableMember(
    {
      ...log,
      bus: timedBus(log.bus, times),
      projection: BASE,
      identity: plan.identity,
      owner: session.owner,
      log: session.log,
      client: timedClient(store.client, times),
    },
    settings,
    {
      onBatch: ({ counts }) => {
        sum.transactions += counts.transactions;
        sum.messages += counts.messages;
        sum.deadLetters += counts.deadLetters;
        sum.batches++;
      },
    },
    await movingDecoder(plan.identity, planned, settings, decodeTimes),
  );
  const stop = new AbortController();
  const writer = await log.bus.writer(BASE.reads, session.owner, 600_000);
  const sampler = new UsageSampler({ node: process.pid, clickhouse: store.pid });
  const threadsBefore = threadCpu();
  const start = performance.now();
  const stage = runMember(member, AbortSignal.any([session.signal, stop.signal]));
  let fedSeconds = 0;
  const work = async () => {
    await feedLog(plan, writer, log.codec, times);
    fedSeconds = (performance.now() - start) / 1000;
    while (sum.transactions < plan.transactions && sum.deadLetters === 0) await sleep(10);
  };
  await Promise.race([work(), stage]);
  const seconds = (performance.now() - start) / 1000;
  const threads = threadCpuSince(threadsBefore);
  const usage = sampler.stop();
  stop.abort();
  await stage;
  await writer.release();
  const logBytes = await log.bus.size();
  const [decode = 0, shift = 0] = new Float64Array(decodeTimes);
  const workers = workerCount(settings.decodeWorkers);
  const parts = { decode, shift, threads, busy: times.busy(), waited: times.waited() };
  return { seconds, fedSeconds, ...sum, logBytes, workers, ...parts, usage };
}

/** The product's pool of threads, with a decoder that also moves the rows. */
function movingDecoder(
  identity: LogIdentity,
  plan: PlanOptions,
  { verifyLevel, decodeWorkers }: DecoderSettings,
  times: SharedArrayBuffer,
): Promise<PooledDecoder> {
  const decoder = BASE.decoder.buildOptions(identity, { verifyLevel }) as MovingOptions['decoder'];
  const options: MovingOptions = { decoder, plan, times };
  const module = new URL('./moving-decoder.ts', import.meta.url).href;
  const workers = Math.max(1, workerCount(decodeWorkers));
  return PooledDecoder.start({
    module,
    options,
    workers,
    onWorkerCrash: (text) => process.stderr.write(`${text}\n`),
  });
}
