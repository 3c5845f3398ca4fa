/**
 * `npm run bench:proofs`: CPU time of making and checking the Merkle proofs that a lite server sends. The blocks and
 * states are mainnet's first ones. Every proof must be accepted.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeBag } from '../src/ton/cell/write-bag.ts';
import { readShardHashes } from '../src/ton/decode/block-header.ts';
import { printTable, round } from './common/report.ts';
import { provenAnswers } from './proofs/answers.ts';
import { statedBlocks } from './proofs/stated-blocks.ts';

const HELP = `bench:proofs: CPU time of making and checking the proofs of a lite server
  --data DIR   folder of real chain data (default ../shared/data)
`;
const MASTER_SEQNO = 15;
const CALLS = 500;

/** CPU time of one call, microseconds. */
function microseconds(work: () => unknown): number {
  const start = process.cpuUsage();
  for (let n = 0; n < CALLS; n++) work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / CALLS;
}

function run(data: string): void {
  const master = statedBlocks(data, -1, MASTER_SEQNO).at(-1)!;
  const [top] = readShardHashes(writeBag(master.block));
  const shard = statedBlocks(data, 0, top!.seqno).at(-1)!;
  const rows = provenAnswers(master, shard).map(({ name, make, check }) => [
    name,
    round(microseconds(make), 0),
    round(microseconds(check), 0),
  ]);
  printTable('Proofs', ['answer', 'µs of CPU to make', 'µs of CPU to check'], rows);
}

const DATA = fileURLToPath(new URL('../../shared/data', import.meta.url));
const { values } = parseArgs({
  options: { data: { type: 'string', default: DATA }, help: { type: 'boolean', default: false } },
});
if (values.help) process.stdout.write(HELP);
else run(values.data);
