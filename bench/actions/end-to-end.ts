import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BASE } from '../../pipelines/base.ts';
import { CONTRACTS } from '../../pipelines/contracts.ts';
import { ACTIONS } from '../../pipelines/projections.ts';
import { TRACES } from '../../pipelines/traces.ts';
import { runSession } from '../../src/cli/session.ts';
import type { TableProjection } from '../../src/engine/projection/projection.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { generatePacks } from '../../src/localnet/generate/generate-packs.ts';
import { type LocalIndex, measureProjections, openLocalIndex, type Spent } from '../common/local-index.ts';
import { note } from '../common/report.ts';

/** Transactions of a masterchain step: a busy head. */
const PER_STEP = 200;

/** Rates of one run, transactions of the chain a second. */
export interface EndToEnd {
  readonly transactions: number;
  readonly base: number;
  readonly contracts: number;
  /** Traces and actions at once, from the raw log to actions in the store. */
  readonly actions: number;
  readonly traces: number;
  readonly storedActions: number;
}

/**
 * Indexes a chain of mixed traffic that the TVM executed: only base, only contracts, then traces and actions together.
 */
export async function endToEnd(transactions: number): Promise<EndToEnd> {
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-bench-'));
  try {
    const packs = join(directory, 'packs');
    note(`${transactions} transactions in the TVM`);
    await generatePacks({ directory: packs, transactions, seed: 'actions', shards: 1, perStep: PER_STEP });
    return await runSession({ logLevel: 'warn' }, async (session) => {
      const index = await openLocalIndex(directory, packs, session);
      const base = await measureProjections(index, [BASE], session);
      const contracts = await measureProjections(index, [CONTRACTS], session);
      const actions = await measureProjections(index, [TRACES, ACTIONS], session);
      const stored = await countRows(index, BASE, 'transactions');
      const rate = ({ seconds }: Spent) => Math.round(stored / seconds);
      return {
        transactions: stored,
        base: rate(base),
        contracts: rate(contracts),
        actions: rate(actions),
        traces: await countRows(index, ACTIONS, 'action_steps', 'sum(finished)'),
        storedActions: await countRows(index, ACTIONS, 'actions'),
      };
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function countRows(
  { store, identity }: LocalIndex,
  projection: TableProjection,
  table: string,
  value = 'count()',
): Promise<number> {
  const sql = `SELECT toString(${value}) FROM ${getDatabase(identity, projection)}.${table}`;
  const { rows } = await store.client.queryRows<[string]>(sql, { route: 'bench' });
  return Number(rows[0]?.[0]);
}
