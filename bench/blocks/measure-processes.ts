import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BASE } from '../../pipelines/base.ts';
import { openLogFiles } from '../../src/cli/compose/data-directory.ts';
import { runSession } from '../../src/cli/session.ts';
import { prepareStore } from '../../src/engine/versions/prepare-store.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import type { StoreClient } from '../../src/platform/clickhouse/client.ts';
import { BenchError } from '../common/bench-error.ts';
import { openBenchStore, settle } from '../common/bench-store.ts';
import { openLocalIndex } from '../common/local-index.ts';
import { note, round } from '../common/report.ts';
import { decodeLog } from '../lanes/decode-log.ts';
import { BLOCKS_PER_STEP, generateChain } from './generate-chain.ts';

const LANES = 8;
/** Every lane has several epochs, so that no process works long on the last one. */
const EPOCHS = 6 * LANES;
const ROWS_MS = 600_000;

/** `base` by some processes that share the log of a data directory. */
export interface ProcessFigures {
  readonly processes: number;
  readonly blocks_per_s: number;
  /** CPU of all processes and of the store, merges too, µs; null if the system does not report it. */
  readonly cpu_us_per_block: number | null;
  /** Memory of the largest process, MiB. */
  readonly memory_mib: number | null;
}

/**
 * Decodes copies of one log by each number of processes.
 * @throws BenchError if the rows differ
 */
export async function measureProcesses(
  directory: string,
  blocks: number,
  counts: readonly number[],
): Promise<readonly ProcessFigures[]> {
  const packs = join(directory, 'packs');
  await generateChain(packs, blocks);
  const captured = join(directory, 'captured');
  const epochSize = Math.ceil(blocks / BLOCKS_PER_STEP / EPOCHS);
  note('archive to log');
  await runSession({ logLevel: 'warn' }, async (session) => {
    await openLocalIndex(captured, packs, session, { epochSize, lanes: LANES });
  });
  const figures: ProcessFigures[] = [];
  let rows: string | null = null;
  for (const processes of counts) {
    const run = await decodeCopy(join(captured, 'log'), join(directory, `by-${processes}`), processes);
    if (rows !== null && rows !== run.rows)
      throw new BenchError(`rows of ${processes} processes differ:\n${rows}\n${run.rows}`);
    rows = run.rows;
    figures.push(run.figures);
  }
  return figures;
}

async function decodeCopy(log: string, data: string, processes: number) {
  mkdirSync(data, { mode: 0o700 });
  cpSync(log, join(data, 'log'), { recursive: true });
  const bus = await openLogFiles(join(data, 'log'), {});
  const store = await openBenchStore(data);
  try {
    const identity = await bus.identity();
    if (!identity) throw new BenchError('the log is empty');
    await prepareStore(store.client, identity, [BASE]);
    await settle(store.client);
    note(`${processes} processes`);
    const { seconds, share, usage } = await decodeLog(
      { bus, processes, store },
      { TONHOUSE_DATA: data, TONHOUSE_DECODE_WORKERS: '1' },
    );
    await settle(store.client);
    const { blocks, rows } = await readRows(store.client, getDatabase(identity, BASE));
    const decoded = blocks * share;
    const all = Object.values(usage);
    const cpu = all.reduce(
      (sum, one) => (one && sum !== null ? sum + one.cpuSeconds : null),
      0 as number | null,
    );
    const memory = Object.entries(usage).flatMap(([name, one]) =>
      name.startsWith('decode') && one ? [one.memory.max] : [],
    );
    const figures: ProcessFigures = {
      processes,
      blocks_per_s: Math.round(decoded / seconds),
      cpu_us_per_block: cpu === null ? null : round((cpu * 1e6) / decoded, 1),
      memory_mib: memory.length === 0 ? null : Math.max(...memory),
    };
    return { figures, rows };
  } finally {
    await store.close();
    await bus.close();
  }
}

/** Number and digest of the rows of each table; ends of batches (`confirmed`) follow from speed. */
async function readRows(client: StoreClient, database: string): Promise<{ blocks: number; rows: string }> {
  const route = 'bench/rows';
  const { rows: tables } = await client.queryRows<[string, string]>(
    `SELECT name, engine FROM system.tables
     WHERE database = {database:String} AND engine LIKE '%MergeTree' AND name != 'confirmed' ORDER BY name`,
    { route, params: { database } },
  );
  const lines: string[] = [];
  let blocks = 0;
  for (const [table, engine] of tables) {
    const { rows } = await client.queryRows<[string, string]>(
      `SELECT toString(count()), toString(sum(sipHash64(*))) FROM ${database}.${table}${engine === 'MergeTree' ? '' : ' FINAL'}`,
      { route, timeoutMs: ROWS_MS, maxMemoryBytes: 0 },
    );
    const [count, digest] = rows[0] ?? ['0', '0'];
    lines.push(`${table} ${count} ${digest}`);
    if (table === 'blocks') blocks = Number(count);
  }
  return { blocks, rows: lines.join('\n') };
}
