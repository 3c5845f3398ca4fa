/** `replay-child.ts OPTIONS` (JSON), forked: one replay in a process of its own, as `tonhouse replay` runs. */
import { once } from 'node:events';
import { BASE } from '../../pipelines/base.ts';
import { REPLAY_LANES } from '../../src/cli/commands/replay-options.ts';
import { openLog } from '../../src/cli/compose/data-directory.ts';
import { runSession } from '../../src/cli/session.ts';
import { workerCount } from '../../src/engine/decoding/start-decoder.ts';
import { PROJECT } from '../../src/engine/project-files.ts';
import { runReplay } from '../../src/engine/replay/run.ts';
import { loadSchemas } from '../../src/platform/avro/schema-files.ts';
import { resolveSettings } from '../../src/platform/config/resolve-settings.ts';
import { namesIn } from '../../src/platform/config/settings.ts';
import { NICENESS, yieldProcessor } from '../../src/platform/threads/niceness.ts';
import { openBenchStore, settle } from '../common/bench-store.ts';
import { UsageSampler } from '../common/process-usage.ts';
import { note } from '../common/report.ts';
import type { MovingOptions } from '../ingest/moving-options.ts';
import { planChain } from '../synthetic/chain-plan.ts';
import { readRealBlocks } from '../synthetic/real-blocks.ts';
import type { ReplayChildOptions, ReplayDone } from './replay-process.ts';
import { UnmovingCodec } from './unmoving-codec.ts';

const options = JSON.parse(process.argv[2] ?? '') as ReplayChildOptions;
process.send?.(await replay(options));
process.disconnect?.();

async function replay({ data, blocks, transactions, epochs, network, codeVersion }: ReplayChildOptions) {
  yieldProcessor();
  const real = readRealBlocks(blocks);
  const plan = planChain(real, transactions, epochs, network);
  const planned: MovingOptions['plan'] = { real, transactions, epochs, network };
  const { client, pid, close } = await openBenchStore(data, NICENESS);
  try {
    return await runSession({ logLevel: 'warn' }, async (session): Promise<ReplayDone> => {
      const { decodeWorkers, ...settings } = resolveSettings(namesIn('decoder'), {});
      const parts = {
        ...(await openLog(data, session)),
        codec: new UnmovingCodec(loadSchemas(`${PROJECT}/schemas`), plan),
        client,
        // Copies of real blocks name the blocks before the real ones: nothing links them.
        identity: { ...plan.identity, facts: { ...plan.identity.facts, continuity: 'isolated' } },
        owner: session.owner,
        log: session.log,
        projection: {
          ...BASE,
          version: codeVersion,
          decoder: {
            module: new URL('../ingest/moving-decoder.ts', import.meta.url).href,
            // A decoder's work and marks follow the log's continuity: the first index was made as of a chain.
            buildOptions: (...[, decoding]: Parameters<typeof BASE.decoder.buildOptions>): MovingOptions => ({
              decoder: BASE.decoder.buildOptions(plan.identity, decoding) as MovingOptions['decoder'],
              plan: planned,
              times: new SharedArrayBuffer(16),
            }),
          },
        },
      };
      const accept = async () => {
        const go = once(process, 'message');
        process.send?.('built');
        await go;
        return true;
      };
      const order = { range: { from: null, to: null }, accept };
      const sampler = new UsageSampler({ node: process.pid, clickhouse: pid });
      let usage: ReplayDone['usage'] | undefined;
      let written = 0;
      let mergeSeconds = 0;
      const onStep = async (text: string) => {
        note(text);
        if (text === 'merging') {
          usage = sampler.stop();
          written = performance.now();
        } else if (mergeSeconds === 0) {
          const resumed = (performance.now() - written) / 1000;
          mergeSeconds = resumed + (await settle(client));
        }
      };
      const watch = { onPlan() {}, onBatch() {}, onStep };
      const workers = Math.max(1, workerCount(decodeWorkers));
      const started = performance.now();
      const outcome = await runReplay(
        {
          parts,
          settings: { ...settings, lanes: REPLAY_LANES, decodeWorkers: workers },
          scope: session,
          watch,
        },
        order,
      );
      return {
        replaySeconds: outcome.replaySeconds,
        mergeSeconds,
        usage: usage ?? sampler.stop(),
        wholeSeconds: (performance.now() - started) / 1000,
        switchedAt: performance.timeOrigin + (outcome.switched?.at ?? Number.NaN),
        rowsDiffer: outcome.changes.reduce((sum, row) => sum + row.added + row.removed + row.altered, 0),
      };
    });
  } finally {
    await close();
  }
}
