import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BenchError } from '../common/bench-error.ts';

export const HELP = `bench:decode: CPU time of decoding blocks, against @ton/core in the same run
  --blocks DIR           folder of block BoCs (.boc), searched with its subfolders
                         (default ../shared/data/blocks)
  --repeat N             interleaved repeats, of which the median counts (default 7)
  --min-transactions N   leave out blocks with fewer (default 5)
  --match TEXT           only files whose path below DIR contains it
                         (default mainnet- where DIR has sets of that name, else all)
  --since YEAR           leave out blocks that are older (default 2020 where DIR has such sets, else none)
  --json                 one JSON object instead of a table
`;

export interface DecodeBenchOptions {
  readonly blocks: string;
  readonly repeat: number;
  readonly minTransactions: number;
  readonly since: number;
  readonly match: string;
  readonly json: boolean;
}

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
/** Folders of this name hold blocks of the main network; others may hold private ones that look alike. */
const MAINNET_SETS = 'mainnet-';
/** Before, the network was not yet what it is: blocks are small and empty. */
const MAINNET_SINCE = 2020;

/** Null where help was asked for. Throws `BenchError`. */
export function readOptions(): DecodeBenchOptions | null {
  const { values } = parse();
  if (values.help) return null;
  const blocks = resolve(values.blocks);
  if (!existsSync(blocks)) throw new BenchError(`--blocks ${blocks}: no such folder`);
  const isInSets = readdirSync(blocks).some((name) => name.startsWith(MAINNET_SETS));
  return {
    blocks,
    repeat: Math.max(1, count('repeat', values.repeat)),
    minTransactions: count('min-transactions', values['min-transactions']),
    since: count('since', values.since ?? (isInSets ? String(MAINNET_SINCE) : '0')),
    match: values.match ?? (isInSets ? MAINNET_SETS : ''),
    json: values.json,
  };
}

function parse() {
  try {
    return parseArgs({
      options: {
        blocks: { type: 'string', default: join(PROJECT, '../shared/data/blocks') },
        repeat: { type: 'string', default: '7' },
        'min-transactions': { type: 'string', default: '5' },
        since: { type: 'string' },
        match: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new BenchError(`${(error as Error).message} (try --help)`);
  }
}

function count(name: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new BenchError(`--${name} ${text}: a whole number expected`);
}
