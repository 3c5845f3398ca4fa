import { join } from 'node:path';
import { BASE } from '../../pipelines/base.ts';
import { logShape } from '../../src/capture/identity.ts';
import { runSession } from '../../src/cli/session.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import {
  BLOCK_PROJECTIONS,
  type LocalIndex,
  measureProjections,
  openLocalIndex,
  type Spent,
} from '../common/local-index.ts';
import { readUsage } from '../common/process-usage.ts';
import { round } from '../common/report.ts';
import { generateChain } from './generate-chain.ts';

/** Shape of a log that no setting names: an epoch has 200,000 steps. */
const USUAL = logShape({ epochSize: 'auto', lanes: 'auto' }, null);
/** Part of the blocks that is indexed first, for the price of a start. */
const FIRST = 1 / 8;

/** CPU is that of this process and of the store, merges too, µs; null if the system does not report it. */
export interface BlockFigures {
  readonly blocks: number;
  readonly transactions: number;
  /** Share of the blocks that have no transactions. */
  readonly empty: number;
  /** From archive files to rows of all projections at once, with the few transactions and the start of all threads. */
  readonly cpu_us_per_block: number | null;
  /** The same of each further block: less an eighth of the chain, which is indexed before. */
  readonly further_cpu_us_per_block: number | null;
  /** All projections at once, from the log. */
  readonly blocks_per_s: number;
  /** From archive files into the log, checked. */
  readonly capture_cpu_us_per_block: number | null;
  readonly capture_blocks_per_s: number;
  /** Each projection after the ones that it needs, by name. */
  readonly projections: Readonly<Record<string, number | null>>;
}

/** What one index took, from its archive files. */
interface Indexed {
  readonly captured: Omit<Spent, 'storeCpuSeconds'>;
  readonly indexed: Spent;
  readonly counts: Counts;
}

/** Indexes a generated chain twice: all projections at once, and one after the other. Before it, a short one. */
export async function measureBlocks(directory: string, blocks: number): Promise<BlockFigures> {
  const packs = join(directory, 'packs');
  await generateChain(join(packs, 'first'), blocks * FIRST);
  await generateChain(join(packs, 'chain'), blocks);
  // Its own start also loads and compiles modules, which no later one does.
  await measureAll(join(directory, 'warm-up'), join(packs, 'first'));
  const first = await measureAll(join(directory, 'first'), join(packs, 'first'));
  const all = await measureAll(join(directory, 'all'), join(packs, 'chain'));
  return runSession({ logLevel: 'warn' }, async (session) => {
    const index = await openLocalIndex(join(directory, 'single'), join(packs, 'chain'), session, USUAL);
    const spent: [string, Spent][] = [];
    for (const projection of BLOCK_PROJECTIONS)
      spent.push([projection.name, await measureProjections(index, [projection], session)]);
    return summarise(first, all, spent);
  });
}

/** All projections at once. */
async function measureAll(directory: string, packs: string): Promise<Indexed> {
  return runSession({ logLevel: 'warn' }, async (session) => {
    const [before, begun] = [readUsage(process.pid), performance.now()];
    const index = await openLocalIndex(directory, packs, session, USUAL);
    const [after, ended] = [readUsage(process.pid), performance.now()];
    const captured = {
      seconds: (ended - begun) / 1000,
      cpuSeconds: before && after ? after.cpu - before.cpu : null,
    };
    const indexed = await measureProjections(index, BLOCK_PROJECTIONS, session);
    return { captured, indexed, counts: await countBlocks(index) };
  });
}

interface Counts {
  readonly blocks: number;
  readonly empty: number;
  readonly transactions: number;
}

function summarise(first: Indexed, all: Indexed, spent: readonly (readonly [string, Spent])[]): BlockFigures {
  const { blocks, empty, transactions } = all.counts;
  const perBlock = (seconds: number | null, of = blocks) =>
    seconds === null ? null : round((seconds * 1e6) / of, 1);
  const rate = ({ seconds }: Pick<Spent, 'seconds'>) => Math.round(blocks / seconds);
  const [cpu, firstCpu] = [sumCpu(all), sumCpu(first)];
  const further = cpu === null || firstCpu === null ? null : cpu - firstCpu;
  return {
    blocks,
    transactions,
    empty: round(empty / blocks),
    cpu_us_per_block: perBlock(cpu),
    further_cpu_us_per_block: perBlock(further, blocks - first.counts.blocks),
    blocks_per_s: rate(all.indexed),
    capture_cpu_us_per_block: perBlock(all.captured.cpuSeconds),
    capture_blocks_per_s: rate(all.captured),
    projections: Object.fromEntries(spent.map(([name, one]) => [name, perBlock(one.cpuSeconds)])),
  };
}

function sumCpu({ captured, indexed }: Indexed): number | null {
  const [capture, index] = [captured.cpuSeconds, indexed.cpuSeconds];
  return capture === null || index === null ? null : capture + index;
}

async function countBlocks({ store, identity }: LocalIndex): Promise<Counts> {
  const sql = `SELECT toString(count()), toString(countIf(tx_count = 0)), toString(sum(tx_count))
    FROM ${getDatabase(identity, BASE)}.blocks`;
  const { rows } = await store.client.queryRows<[string, string, string]>(sql, { route: 'bench' });
  const [blocks, empty, transactions] = (rows[0] ?? []).map(Number);
  return { blocks: blocks ?? 0, empty: empty ?? 0, transactions: transactions ?? 0 };
}
