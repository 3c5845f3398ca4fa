import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BASE } from '../../pipelines/base.ts';
import { CONTRACTS } from '../../pipelines/contracts.ts';
import { ACTIONS } from '../../pipelines/projections.ts';
import { TRACES } from '../../pipelines/traces.ts';
import { runCapture } from '../../src/capture/capture-stage.ts';
import { type OpenLog, openLog } from '../../src/cli/compose/data-directory.ts';
import { openSource } from '../../src/cli/compose/open-source.ts';
import { runSession, type Session } from '../../src/cli/session.ts';
import { allCaughtUp, followHead } from '../../src/engine/head/follow-served.ts';
import type { TableProjection } from '../../src/engine/projection/projection.ts';
import { prepareStore } from '../../src/engine/versions/prepare-store.ts';
import { databaseOf } from '../../src/engine/versions/version-names.ts';
import { generatePacks } from '../../src/localnet/generate/generate-packs.ts';
import type { LogIdentity } from '../../src/log/port.ts';
import { resolveSettings } from '../../src/platform/config/resolve-settings.ts';
import { BenchError } from '../common/bench-error.ts';
import { type BenchStore, openBenchStore, settle } from '../common/bench-store.ts';
import { note, round } from '../common/report.ts';

const SETTINGS = ['verifyLevel', 'decodeWorkers', 'batchRows', 'batchMs', 'sessionMs'] as const;
const NETWORK = 'synthetic';
/** Of a masterchain step: a busy head. */
const PER_STEP = 200;
const EPOCH = 100;
const LANES = 8;

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

interface Index {
  readonly log: OpenLog;
  readonly store: BenchStore;
  readonly identity: LogIdentity;
}

/** Indexes a chain of mixed traffic that the TVM executed: base alone, contracts alone, then traces and actions together. */
export async function endToEnd(transactions: number): Promise<EndToEnd> {
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-bench-'));
  try {
    const packs = join(directory, 'packs');
    note(`${transactions} transactions in the TVM`);
    await generatePacks({ directory: packs, transactions, seed: 'actions', shards: 1, perStep: PER_STEP });
    return await runSession({ logLevel: 'warn' }, async (session) => {
      const index = await openIndex(directory, packs, session);
      const base = await secondsOf(index, [BASE], session);
      const contracts = await secondsOf(index, [CONTRACTS], session);
      const actions = await secondsOf(index, [TRACES, ACTIONS], session);
      const stored = await rowsOf(index, BASE, 'transactions');
      const rate = (seconds: number) => Math.round(stored / seconds);
      return {
        transactions: stored,
        base: rate(base),
        contracts: rate(contracts),
        actions: rate(actions),
        traces: await rowsOf(index, ACTIONS, 'action_steps', 'sum(finished)'),
        storedActions: await rowsOf(index, ACTIONS, 'actions'),
      };
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The whole chain is in the log before anything is measured. */
async function openIndex(data: string, packs: string, session: Session): Promise<Index> {
  const log = await openLog(data, session);
  const store = await openBenchStore(data);
  session.shutdown.add('store', () => store.close());
  const source = await openSource(`archive:${packs}`);
  const shape = { epochSize: EPOCH, lanes: LANES };
  await runCapture({ ...log, ...session, source, network: NETWORK, identity: shape });
  await source.close();
  const identity = await log.bus.identity();
  if (!identity) throw new BenchError('nothing was captured');
  return { log, store, identity };
}

/** From the log into the store, until all of it is confirmed; what the phase before left to merge is waited for. */
async function secondsOf(
  { log, store, identity }: Index,
  projections: readonly TableProjection[],
  session: Session,
): Promise<number> {
  const { client } = store;
  const names = projections.map(({ name }) => name).join(', ');
  await prepareStore(client, identity, projections);
  await settle(client);
  const stop = new AbortController();
  const signal = AbortSignal.any([session.signal, stop.signal]);
  const settings = resolveSettings(SETTINGS, {});
  const { owner, log: logger } = session;
  const start = performance.now();
  const heads = projections.map((projection) =>
    followHead(
      { ...log, client, identity, owner, log: logger, projection },
      settings,
      { onBatch: ({ counts }) => expectSound(counts.deadLetters, names) },
      signal,
    ),
  );
  const running = Promise.all(heads.map((head) => head.running));
  await Promise.race([allCaughtUp(heads), running]);
  const seconds = (performance.now() - start) / 1000;
  stop.abort();
  await running;
  note(`${names}: ${round(seconds, 1)} s`);
  return seconds;
}

function expectSound(deadLetters: number, names: string): void {
  if (deadLetters > 0) throw new BenchError(`${names}: ${deadLetters} dead letters`);
}

async function rowsOf(
  { store, identity }: Index,
  projection: TableProjection,
  table: string,
  value = 'count()',
): Promise<number> {
  const sql = `SELECT toString(${value}) FROM ${databaseOf(identity, projection)}.${table}`;
  const { rows } = await store.client.queryRows<[string]>(sql, { route: 'bench' });
  return Number(rows[0]?.[0]);
}
