/**
 * `npm run bench:catchup`: how fast the source liteserver catches up over sparse blocks. One server answers after a round
 * trip. Every block is hashed, linked and proven; the log and the store are not part of it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseGlobalConfig } from '../src/capture/liteserver/global-config.ts';
import { openLiteServer } from '../src/capture/liteserver/liteserver-source.ts';
import { mib, note } from './common/report.ts';
import { startNetwork } from './live/start-network.ts';

const HELP = `usage: npm run -s bench:catchup -- [options]

  --steps N     masterchain blocks (default 10000)
  --rtt MS      round trip of the network (default 50)
  --servers N   entries of the configuration, each with its own limit of requests (default 8)
  --json        one JSON object
`;

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '10000' },
    rtt: { type: 'string', default: '50' },
    servers: { type: 'string', default: '8' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

async function measure() {
  const plan = { steps: Number(values.steps), shards: 1, perStep: 1, rttMs: Number(values.rtt), stepMs: 0 };
  note(`generating ${plan.steps} steps`);
  const network = await startNetwork(plan);
  const parsed = parseGlobalConfig(network.config, 'of the bench');
  const config = {
    ...parsed,
    servers: Array.from({ length: Number(values.servers) }, () => parsed.servers[0]!),
  };
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-bench-'));
  const source = openLiteServer({
    config,
    trust: 'signatures',
    trustedBlock: null,
    from: { kind: 'seqno', seqno: 1 },
    directory,
    log: { debug() {}, info() {}, warn: (_facts, text) => note(text), error: (_facts, text) => note(text) },
  });
  note('catching up');
  const cpuBefore = process.cpuUsage();
  const begun = performance.now();
  let blocks = 0;
  let peak = 0;
  const last = Math.min(network.head, plan.steps);
  for await (const step of source.steps(null, new AbortController().signal)) {
    blocks += step.blocks.length;
    if (step.mcSeqno % 100 === 0) peak = Math.max(peak, process.memoryUsage.rss());
    if (step.mcSeqno === last) break;
  }
  const seconds = (performance.now() - begun) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  await source.close();
  network.stop();
  rmSync(directory, { recursive: true, force: true });
  return {
    blocks_per_s: Math.round(blocks / seconds),
    cpu_us_per_block: Math.round((user + system) / blocks),
    peak_rss_mb: mib(peak),
  };
}

const result = await measure();
if (values.json) process.stdout.write(`${JSON.stringify(result)}\n`);
else
  process.stdout.write(
    `${result.blocks_per_s} blocks/s, ${result.cpu_us_per_block} µs of CPU a block, peak ${result.peak_rss_mb} MiB\n`,
  );
