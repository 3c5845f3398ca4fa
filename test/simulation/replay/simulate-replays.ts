import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SeededRandom } from '../../contract/log/seeded-random.ts';
import { startTestServer, type TestServer } from '../../helpers/clickhouse-server.ts';
import { headRound } from './head-round.ts';
import { type KillPlan, killPlan } from './kill-plan.ts';
import { killedRound } from './killed-round.ts';
import { lawPlan } from './law-plan.ts';
import { type LawResult, lawRound } from './law-round.ts';
import { withCorpus } from './replay-corpora.ts';

/**
 * The run of CI: `--short`. A round on real blocks and one on a generated chain, with replays of a part, cuts, growth, freed
 * epochs, a rollback and a prune. After each comes a round of processes that are killed, the second while `up` runs.
 */
export const SHORT_RUN = { seeds: 2, seed: 202, killEvery: 1, kills: 2 } as const;

export interface ReplaySimulation {
  /** Rounds of the law. */
  readonly seeds: number;
  readonly seed: number;
  /** After so many of them comes one with processes and kill -9; 0: none does. */
  readonly killEvery: number;
  /** Kills of such a round. Default 5. */
  readonly kills?: number;
  /** The shared data. */
  readonly shared: string;
  readonly onRound: (text: string) => void;
}

export interface ReplayReport {
  readonly seed: number;
  readonly seconds: number;
  readonly rounds: number;
  /** Rounds with a difference. */
  readonly failedRounds: number;
  readonly replays: number;
  /** Replays of a part of the chain. */
  readonly partial: number;
  /** How often a replay was cut off in its process. */
  readonly cuts: number;
  /** Steps that came to the head while a version was built. */
  readonly grown: number;
  /** Epochs that were freed in the log before a replay. */
  readonly trimmed: number;
  readonly rollbacks: number;
  /** Versions of which every table was compared with a fresh index. */
  readonly compared: number;
  /** Processes that were killed by SIGKILL: replays, stores, and who follows the head. */
  readonly kills: number;
  readonly differences: readonly string[];
}

const KILLS = 5;
const WORK_MS = 4_500;
const COUNTS = ['replays', 'partial', 'cuts', 'grown', 'trimmed', 'rollbacks', 'compared', 'kills'] as const;
type Counts = Record<(typeof COUNTS)[number], number>;

/** Rounds of the law by random plans, and between them rounds whose processes are killed. */
export async function simulateReplays(options: ReplaySimulation): Promise<ReplayReport> {
  const started = performance.now();
  const tally = Object.fromEntries(COUNTS.map((name) => [name, 0])) as Counts;
  const differences: string[] = [];
  const random = new SeededRandom(options.seed);
  let rounds = 0;
  let failedRounds = 0;
  const done = (name: string, result: Partial<Counts>, found: readonly string[]) => {
    rounds++;
    if (found.length > 0) failedRounds++;
    for (const count of COUNTS) tally[count] += result[count] ?? 0;
    differences.push(...found.map((text) => `${name}: ${text}`));
    options.onRound(`${name}: ${found.length} differences`);
  };
  for (let n = 1; n <= options.seeds; n++) {
    const seed = random.between(1, 2 ** 30);
    const law = await lawOf(seed, options.shared);
    done(`law, seed ${seed}`, law, law.differences);
    if (options.killEvery === 0 || n % options.killEvery !== 0) continue;
    const besideHead = (n / options.killEvery) % 2 === 0;
    const { killed, found } = await killOf(seed, besideHead, options);
    const name = besideHead ? 'kill -9 beside the head' : 'kill -9';
    done(`${name}, seed ${seed}`, { replays: 1, compared: 1, kills: killed }, found);
  }
  const seconds = Math.round((performance.now() - started) / 1000);
  return { seed: options.seed, seconds, rounds, failedRounds, ...tally, differences };
}

/** An error that ends a round is a difference too: the next seed is tried all the same. */
async function lawOf(
  seed: number,
  shared: string,
): Promise<Partial<LawResult> & Pick<LawResult, 'differences'>> {
  let server: TestServer | null = null;
  try {
    const plan = lawPlan(seed);
    server = await startTestServer();
    const { client } = server;
    return await withCorpus(plan.corpus, shared, (corpus) => lawRound(plan, corpus, client));
  } catch (error) {
    return { differences: [String(error)] };
  } finally {
    await server?.stop();
  }
}

async function killOf(seed: number, besideHead: boolean, { shared, kills = KILLS }: ReplaySimulation) {
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-replay-kill-'));
  const plan = killPlan(seed, { kills, workMs: WORK_MS, besideHead });
  try {
    const { killed, differences } = await (besideHead
      ? headRound(plan, folder)
      : aloneRound(plan, folder, shared));
    if (differences.length === 0) rmSync(folder, { recursive: true, force: true });
    return { killed: killed.length, found: differences.map((text) => `${text}; kept ${folder}`) };
  } catch (error) {
    return { killed: 0, found: [`${error}; kept ${folder}`] };
  }
}

function aloneRound(plan: KillPlan, folder: string, shared: string) {
  mkdirSync(folder, { recursive: true });
  return killedRound(plan, `archive:${join(shared, 'blocks/packs')}`, folder);
}
