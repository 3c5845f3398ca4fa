import { join } from 'node:path';
import { BASE } from '../../pipelines/base.ts';
import { runSession } from '../../src/cli/session.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { generatePacks } from '../../src/localnet/generate/generate-packs.ts';
import {
  BLOCK_PROJECTIONS,
  type LocalIndex,
  measureProjections,
  openLocalIndex,
  type Spent,
} from '../common/local-index.ts';
import { readUsage } from '../common/process-usage.ts';
import { note, round } from '../common/report.ts';

/** The masterchain and four shards make a block each; one transaction of a step leaves three of them empty. */
const SHARDS = 4;
const BLOCKS_PER_STEP = SHARDS + 1;
const TRANSACTIONS_PER_STEP = 1;

/** CPU is that of this process and of the store, merges too, µs; null if the system does not report it. */
export interface BlockFigures {
  readonly blocks: number;
  readonly transactions: number;
  /** Share of the blocks that have no transactions. */
  readonly empty: number;
  /** From archive files to rows of all projections at once, with the few transactions. */
  readonly cpu_us_per_block: number | null;
  /** All projections at once, from the log. */
  readonly blocks_per_s: number;
  /** From archive files into the log, checked. */
  readonly capture_cpu_us_per_block: number | null;
  readonly capture_blocks_per_s: number;
  /** Each projection after the ones that it needs, by name. */
  readonly projections: Readonly<Record<string, number | null>>;
}

/** Indexes a generated chain twice: all projections at once, and one after the other. */
export async function measureBlocks(directory: string, blocks: number): Promise<BlockFigures> {
  const packs = join(directory, 'packs');
  const transactions = Math.ceil(blocks / BLOCKS_PER_STEP) * TRANSACTIONS_PER_STEP;
  note(`generating ${blocks} blocks`);
  const chain = { transactions, shards: SHARDS, perStep: TRANSACTIONS_PER_STEP, everyShard: true };
  await generatePacks({ directory: packs, seed: 'blocks', ...chain });
  const all = await runSession({ logLevel: 'warn' }, async (session) => {
    const [before, begun] = [readUsage(process.pid), performance.now()];
    const index = await openLocalIndex(join(directory, 'all'), packs, session);
    const [after, ended] = [readUsage(process.pid), performance.now()];
    const captured = {
      seconds: (ended - begun) / 1000,
      cpuSeconds: before && after ? after.cpu - before.cpu : null,
    };
    return { captured, indexed: await measureProjections(index, BLOCK_PROJECTIONS, session) };
  });
  return runSession({ logLevel: 'warn' }, async (session) => {
    const index = await openLocalIndex(join(directory, 'single'), packs, session);
    const spent: [string, Spent][] = [];
    for (const projection of BLOCK_PROJECTIONS)
      spent.push([projection.name, await measureProjections(index, [projection], session)]);
    return summarise(await countBlocks(index), all, spent);
  });
}

interface Counts {
  readonly blocks: number;
  readonly empty: number;
  readonly transactions: number;
}

function summarise(
  { blocks, empty, transactions }: Counts,
  { captured, indexed }: { readonly captured: Spent; readonly indexed: Spent },
  spent: readonly (readonly [string, Spent])[],
): BlockFigures {
  const cpu = ({ cpuSeconds }: Spent) => (cpuSeconds === null ? null : round((cpuSeconds * 1e6) / blocks, 1));
  const rate = ({ seconds }: Spent) => Math.round(blocks / seconds);
  const [capture, index] = [cpu(captured), cpu(indexed)];
  return {
    blocks,
    transactions,
    empty: round(empty / blocks),
    cpu_us_per_block: capture === null || index === null ? null : round(capture + index, 1),
    blocks_per_s: rate(indexed),
    capture_cpu_us_per_block: capture,
    capture_blocks_per_s: rate(captured),
    projections: Object.fromEntries(spent.map(([name, one]) => [name, cpu(one)])),
  };
}

async function countBlocks({ store, identity }: LocalIndex): Promise<Counts> {
  const sql = `SELECT toString(count()), toString(countIf(tx_count = 0)), toString(sum(tx_count))
    FROM ${getDatabase(identity, BASE)}.blocks`;
  const { rows } = await store.client.queryRows<[string, string, string]>(sql, { route: 'bench' });
  const [blocks, empty, transactions] = (rows[0] ?? []).map(Number);
  return { blocks: blocks ?? 0, empty: empty ?? 0, transactions: transactions ?? 0 };
}
