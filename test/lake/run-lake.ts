/**
 * `npm run test:lake [-- --json]`: compares the tables of the lake with facts from @ton/core, the API and get methods,
 * over a local chain with traffic and over the shared mainnet blocks. Exits with 1 if a value differs.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openSource } from '../../src/cli/compose/open-source.ts';
import { generatePacks, ZEROSTATE_FILES } from '../../src/localnet/generate/generate-packs.ts';
import { sharedData } from '../helpers/shared-data-folder.ts';
import type { Verdict } from './compare-rows.ts';
import { compareTables } from './compare-tables.ts';
import type { CommittedBlock } from './core-rows.ts';
import { serveSource } from './lake-server.ts';

const USAGE = `usage: npm run test:lake [-- --json] [--transactions N] [--help]

Compares the tables for analysts with facts from @ton/core, the API and get methods.
  --json             print the list as JSON: {chain, table, rows, compared, different}
  --transactions N   transactions of the local chain (default 1500)

The exit code is 0 only if no value differs.
`;

/** Few, so that there are steps enough for auctions and orders to end: an item or an order rests between two messages. */
const PER_STEP = 30;

/** Tables that blocks of mainnet fill without a projection that needs whole states. */
const BLOCK_TABLES = ['blocks', 'transactions', 'messages', 'account_states'];

async function readBlocks(source: string): Promise<readonly CommittedBlock[]> {
  const opened = await openSource(source);
  const blocks: CommittedBlock[] = [];
  for await (const { mcSeqno, blocks: committed } of opened.steps(null, new AbortController().signal))
    for (const { header, boc } of committed) blocks.push({ header, bytes: boc, mcSeqno });
  await opened.close();
  return blocks;
}

async function compareSource(
  chain: string,
  source: string,
  options: readonly string[],
  only: readonly string[],
) {
  const server = await serveSource(source, options);
  try {
    const verdicts = await compareTables(server, await readBlocks(source), only);
    return verdicts.map((verdict) => ({ chain, ...verdict }));
  } finally {
    await server.stop();
  }
}

async function compareLocalChain(transactions: number) {
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-lake-packs-'));
  try {
    await generatePacks({ directory, transactions, seed: 'lake', shards: 1, perStep: PER_STEP });
    const states = ZEROSTATE_FILES.flatMap((name) => ['--state', join(directory, name)]);
    // Names have the zones of the network with this label.
    const options = [...states, '--network', 'localnet'];
    return await compareSource('local', `archive:${directory}`, options, []);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function toLine({
  chain,
  table,
  rows,
  compared,
  different,
  examples,
}: Verdict & { readonly chain: string }): string {
  const counts = `${chain} ${table}: ${rows} rows, ${compared} values compared, ${different} different`;
  return [counts, ...examples.map((one) => `  ${one}`)].join('\n');
}

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    transactions: { type: 'string', default: '1500' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) process.stdout.write(USAGE);
else {
  const verdicts = [
    ...(await compareLocalChain(Number(values.transactions))),
    ...(sharedData
      ? await compareSource(
          'mainnet',
          `files:${join(sharedData, 'blocks/mainnet-genesis-0001')}`,
          [],
          BLOCK_TABLES,
        )
      : []),
  ];
  const counts = verdicts.map(({ examples: _, ...verdict }) => verdict);
  process.stdout.write(values.json ? `${JSON.stringify(counts)}\n` : `${verdicts.map(toLine).join('\n')}\n`);
  process.exitCode = verdicts.every(({ different }) => different === 0) ? 0 : 1;
}
