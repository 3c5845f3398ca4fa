import { setTimeout as sleep } from 'node:timers/promises';
import { DECODE } from '../../pipelines/decode.ts';
import { openLog } from '../../src/cli/wiring/data-directory.ts';
import { decodeOptions } from '../../src/cli/wiring/decode.ts';
import { prepareStore } from '../../src/cli/wiring/projection.ts';
import { runSession, type Session } from '../../src/cli/wiring/session.ts';
import { resolveSettings } from '../../src/platform/config/resolve-settings.ts';
import { runDecode } from '../../src/stages/decode/decode-stage.ts';
import { BenchError } from '../common/bench-error.ts';
import { openBenchStore } from '../common/bench-store.ts';
import { UsageSampler, type UsageSummary } from '../common/process-usage.ts';
import { Stopwatch } from '../common/stopwatch.ts';
import type { ChainPlan } from '../synthetic/chain-plan.ts';
import { feedLog } from '../synthetic/feed-log.ts';
import { BlockMover } from '../synthetic/move-block.ts';
import { timedClient, timedConsumer } from './timed-parts.ts';

export interface EndToEndResult {
  readonly seconds: number;
  /** When the last block was in the log, seconds from the start. */
  readonly fedSeconds: number;
  readonly transactions: number;
  readonly messages: number;
  readonly batches: number;
  readonly deadLetters: number;
  readonly logBytes: number;
  /** The decoding thread, ms by part. */
  readonly busy: Readonly<Record<string, number>>;
  /** Waits, ms by part; several go on side by side. */
  readonly waited: Readonly<Record<string, number>>;
  readonly usage: Readonly<Record<string, UsageSummary | null>>;
}

/** The whole way of the chain: into the log, out of it, decoded, into the store; ends when all of it is confirmed. */
export async function runEndToEnd(data: string, plan: ChainPlan): Promise<EndToEndResult> {
  return runSession({ logLevel: 'warn' }, (session) => endToEnd(data, plan, session));
}

async function endToEnd(data: string, plan: ChainPlan, session: Session): Promise<EndToEndResult> {
  const log = await openLog(data, session);
  const store = await openBenchStore(data);
  session.shutdown.add('store', () => store.close());
  if (await log.bus.identity())
    throw new BenchError(`${data} holds a log already: the ingest bench needs a new directory`);
  await log.bus.establish(plan.identity);
  await prepareStore(store.client, plan.identity);
  const times = new Stopwatch();
  const sum = { transactions: 0, messages: 0, batches: 0, deadLetters: 0 };
  const parts = { ...log, identity: plan.identity, owner: session.owner, log: session.log };
  const options = await decodeOptions(
    { ...parts, client: timedClient(store.client, times) },
    resolveSettings(['verifyLevel', 'batchRows', 'batchMs', 'sessionMs'], {}),
    {
      onBatch: ({ counts }) => {
        sum.transactions += counts.transactions;
        sum.messages += counts.messages;
        sum.deadLetters += counts.deadLetters;
        sum.batches++;
      },
    },
  );
  const mover = new BlockMover(times);
  const stop = new AbortController();
  const writer = await log.bus.writer(DECODE.topic, session.owner, 600_000);
  const sampler = new UsageSampler({ node: process.pid, clickhouse: store.pid });
  const start = performance.now();
  const stage = runDecode(
    {
      ...options,
      consumer: timedConsumer(options.consumer, times),
      decode: (record, columns, counts) => {
        const block = plan
          .step(record.position)
          .find(({ real }) => String(real.header.workchain) === record.headers.workchain);
        if (!block) throw new BenchError(`step ${record.position} has no block ${record.key}`);
        return mover.decode(columns, block, () => options.decode(record, columns, counts));
      },
    },
    AbortSignal.any([session.signal, stop.signal]),
  );
  let fedSeconds = 0;
  const work = async () => {
    await feedLog(plan, writer, log.codec, times);
    fedSeconds = (performance.now() - start) / 1000;
    while (sum.transactions < plan.transactions && sum.deadLetters === 0) await sleep(10);
  };
  await Promise.race([work(), stage]);
  const seconds = (performance.now() - start) / 1000;
  const usage = sampler.stop();
  stop.abort();
  await stage;
  await writer.release();
  const logBytes = await log.bus.size();
  return { seconds, fedSeconds, ...sum, logBytes, busy: times.busy(), waited: times.waited(), usage };
}
