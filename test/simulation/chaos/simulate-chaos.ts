import { rmSync } from 'node:fs';
import { SeededRandom } from '../../contract/log/seeded-random.ts';
import { type RowCounts, sumOfRows } from '../common/store-picture.ts';
import {
  type ChaosPlan,
  chaosPlan,
  FAULT_KINDS,
  type FaultKind,
  type LogKind,
  roundSeed,
  STOPPED_BEFORE_INSERT,
} from './chaos-plan.ts';
import { type ChaosDifference, chaosRound } from './chaos-round.ts';
import { type Corpus, type KnownCorpus, startWorld } from './chaos-world.ts';
import { learnTruth } from './learn-truth.ts';
import type { MemoryPeaks } from './memory-watch.ts';

export interface ChaosOptions {
  readonly seed: number;
  readonly minutes: number;
  readonly corpora: readonly Corpus[];
  /** At most so many rounds. Default: as many as there is time for. */
  readonly rounds?: number;
  /** Rounds before the rounds of `seed`. */
  readonly first?: readonly ChaosPlan[];
  readonly onProgress: (faults: number, note: string) => void;
  readonly onDifference: (difference: ChaosDifference) => void;
}

export interface ChaosReport {
  readonly seed: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly faults: number;
  readonly byKind: Readonly<Record<FaultKind, number>>;
  /** Decoders stopped between a journal entry and its insert, by the log of the round. */
  readonly stoppedBeforeInsert: Readonly<Record<LogKind, number>>;
  /** Rows of all tables of all rounds whose checksums were compared, by projection, and of the typed topics. */
  readonly rowsCompared: RowCounts;
  /** Records that were appended to the log again. */
  readonly blocksDeliveredAgain: number;
  /** Parts in the cold folder at the ends of all rounds. */
  readonly coldParts: number;
  /** Stages that ended unexpectedly and were restarted, by their last output. */
  readonly selfEnds: Readonly<Record<string, number>>;
  /** The last line of each of them. */
  readonly lastWords: readonly string[];
  /** Highest resident memory by role, megabytes. */
  readonly peakMemoryMb: MemoryPeaks;
  /** Kinds of fault that could not be done on this machine. */
  readonly leftOut: readonly FaultKind[];
  readonly differences: readonly ChaosDifference[];
}

/** Memory that no stage may go beyond, megabytes: they read the same few megabytes again and again. */
const MAX_MEMORY_MB: MemoryPeaks = {
  capture: 512,
  decode: 768,
  publish: 768,
  serve: 1_024,
  seal: 768,
  broker: 1_536,
  store: 3_072,
};

/** Rounds until the time is over, each from its own seed; what was begun is finished. */
export async function simulateChaos(options: ChaosOptions): Promise<ChaosReport> {
  const started = performance.now();
  const tally = new Tally(options);
  const world = await startWorld();
  try {
    const corpora: KnownCorpus[] = [];
    for (const corpus of options.corpora) corpora.push(await learnTruth(world, corpus));
    const seeds = new SeededRandom(options.seed);
    const until = Date.now() + options.minutes * 60_000;
    const first = [...(options.first ?? [])];
    const most = options.rounds ?? Number.POSITIVE_INFINITY;
    for (let round = 1; round <= most && Date.now() < until; round++) {
      const plan = first.shift() ?? chaosPlan(roundSeed(round, seeds), corpora);
      const corpus = corpora[plan.corpus] as KnownCorpus;
      const note = `round ${round} (${plan.name}, ${plan.log} log, ${corpus.name})`;
      const result = await chaosRound({
        round,
        plan,
        world,
        corpus,
        until,
        onFault: (kind) => tally.fault(kind, plan.log, note),
      });
      tally.round(result);
    }
    const leftOut: FaultKind[] = world.disk.canFill ? [] : ['broker: disk full'];
    return tally.report(options.seed, Math.round((performance.now() - started) / 1000), leftOut);
  } finally {
    await world.stop();
    if (tally.isClean) rmSync(world.folder, { recursive: true, force: true });
  }
}

/** Faults done and differences found so far. */
class Tally {
  readonly #options: ChaosOptions;
  readonly #byKind = Object.fromEntries(FAULT_KINDS.map((kind) => [kind, 0])) as Record<FaultKind, number>;
  readonly #selfEnds: Record<string, number> = {};
  readonly #lastWords: string[] = [];
  readonly #memory: Record<string, number> = {};
  readonly #differences: ChaosDifference[] = [];
  readonly #stops: Record<LogKind, number> = { kafka: 0, embedded: 0 };
  #faults = 0;
  #rounds = 0;
  #rows: RowCounts = {};
  #again = 0;
  #coldParts = 0;

  constructor(options: ChaosOptions) {
    this.#options = options;
  }

  get isClean(): boolean {
    return this.#differences.length === 0;
  }

  fault(kind: FaultKind, log: LogKind, note: string): void {
    this.#faults++;
    if (kind === STOPPED_BEFORE_INSERT) this.#stops[log]++;
    this.#byKind[kind]++;
    this.#options.onProgress(this.#faults, `${note}: ${kind}`);
  }

  round(result: Awaited<ReturnType<typeof chaosRound>>): void {
    this.#rounds++;
    this.#rows = sumOfRows([this.#rows, result.rows]);
    this.#again += result.blocksAgain;
    this.#coldParts += result.coldParts;
    for (const { role, code, words } of result.selfEnds) {
      const error = /^([A-Za-z]+(?:Error|Exception)?):/m.exec(words)?.[1] ?? 'no word';
      const name = `${role}: code ${code}, ${error}`;
      this.#lastWords.push(words.split('\n').at(-1) ?? '');
      this.#selfEnds[name] = (this.#selfEnds[name] ?? 0) + 1;
    }
    for (const [role, peak] of Object.entries(result.memory))
      this.#memory[role] = Math.max(peak, this.#memory[role] ?? 0);
    for (const difference of result.differences) this.#differ(difference);
    this.#checkMemory(result);
  }

  report(seed: number, seconds: number, leftOut: readonly FaultKind[]): ChaosReport {
    return {
      seed,
      seconds,
      rounds: this.#rounds,
      faults: this.#faults,
      byKind: this.#byKind,
      stoppedBeforeInsert: this.#stops,
      rowsCompared: this.#rows,
      blocksDeliveredAgain: this.#again,
      coldParts: this.#coldParts,
      selfEnds: this.#selfEnds,
      lastWords: this.#lastWords,
      peakMemoryMb: this.#memory,
      leftOut,
      differences: this.#differences,
    };
  }

  #checkMemory({ memory }: Awaited<ReturnType<typeof chaosRound>>): void {
    for (const [role, most] of Object.entries(MAX_MEMORY_MB)) {
      const found = memory[role] ?? 0;
      if (found <= most) continue;
      const facts = { round: this.#rounds, plan: `seed ${this.#options.seed}`, folder: '' };
      this.#differ({
        ...facts,
        what: `memory of ${role}`,
        expected: `at most ${most} MB`,
        found: `${found} MB`,
      });
    }
  }

  #differ(difference: ChaosDifference): void {
    this.#differences.push(difference);
    this.#options.onDifference(difference);
  }
}
