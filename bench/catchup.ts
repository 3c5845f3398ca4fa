/** `npm run bench:catchup`: how fast the product catches up with a live network, and what a block costs it. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { TrustLevel } from '../src/capture/liteserver/trust.ts';
import { BenchError } from './common/bench-error.ts';
import { count } from './common/options.ts';
import { measureCatchup } from './live/measure-catchup.ts';
import { measureSource } from './live/measure-source.ts';
import { printCatchup, printSource } from './live/print-catchup.ts';
import { withFollower, withLiteServers } from './live/with-follower.ts';

const HELP = `bench:catchup: blocks of lite servers that the product fetches, checks and indexes in catch-up

A sparse chain is generated: four shards, about 2.5 blocks a step. Lite servers in a process of their own offer it, and
every answer takes one round trip. tonhouse up --source liteserver runs with default settings and all projections. It has
the first 3 masterchain blocks and waits at their head when the others appear. Measured from then until masterchainInfo
of the API, which is asked every 2 seconds, has the last one: blocks per second, CPU time of tonhouse and its store per
block, and the highest resident memory of tonhouse.

  --steps N         masterchain steps (default 2000)
  --rtt MS          round trip to each server (default 50)
  --servers N       lite servers (default 4; the product has at most 16 requests under way at one)
  --source-only     measures only the source, in the process of the bench: no log, no store, no API
  --trust LEVEL     hashes, chain or signatures (default signatures)
  --chain DIR       keeps the generated chain in this folder, and uses it in the next run
  --cpu-prof DIR    writes CPU profiles of tonhouse's threads (they cost time)
  --json            one JSON object instead of tables
  --help            this text
`;

function readTrust(text: string): TrustLevel {
  const level = (['hashes', 'chain', 'signatures'] as const).find((one) => one === text);
  if (!level) throw new BenchError(`--trust ${text}: hashes, chain or signatures expected`);
  return level;
}

try {
  const { values } = parseArgs({
    options: {
      steps: { type: 'string', default: '2000' },
      rtt: { type: 'string', default: '50' },
      servers: { type: 'string', default: '4' },
      'source-only': { type: 'boolean', default: false },
      trust: { type: 'string', default: 'signatures' },
      'cpu-prof': { type: 'string' },
      chain: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) process.stdout.write(HELP);
  else {
    const plan = {
      steps: count('steps', values.steps),
      perStep: 1,
      synthetic: false,
      rttMs: values.rtt === '0' ? 0 : count('rtt', values.rtt),
      servers: count('servers', values.servers),
      trust: readTrust(values.trust),
      chain: values.chain === undefined ? null : resolve(values.chain),
      cpuProf: values['cpu-prof'] === undefined ? null : resolve(values['cpu-prof']),
    };
    if (values['source-only'])
      printSource(await withLiteServers(plan, (lite) => measureSource(lite, plan.trust)), values.json);
    else printCatchup(await withFollower(plan, measureCatchup), values.json);
  }
} catch (error) {
  if (!(error instanceof BenchError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
