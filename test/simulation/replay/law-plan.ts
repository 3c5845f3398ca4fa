import { SeededRandom } from '../../contract/log/seeded-random.ts';
import type { CorpusChoice } from './replay-corpora.ts';

/** Which decoder: the checkout's, or the fixture that knows less. */
export type CodeName = 'older' | 'newer';

/** One replay of a round. */
export interface PlannedReplay {
  readonly code: CodeName;
  /** Range that is decoded again, as shares of the index at that time; null: all of it. */
  readonly part: { readonly from: number; readonly to: number } | null;
  /** How often it is cut off. */
  readonly cuts: number;
  /** Steps that come to the head meanwhile. */
  readonly grows: number;
  /** Before it, the log is freed of what the store holds. */
  readonly trims: boolean;
  /** Epochs at the same time. */
  readonly lanes: number;
  readonly batchRows: number;
  /** Command that follows when it is through. */
  readonly afterwards: 'rollback' | 'prune' | 'nothing';
}

/** One round of the law: an index, and what is done to it. All of it from the seed. */
export interface LawPlan {
  readonly seed: number;
  readonly corpus: CorpusChoice;
  readonly epochSize: number;
  readonly lanes: number;
  readonly firstCode: CodeName;
  /** Share of the steps that is indexed before the first replay. */
  readonly startsWith: number;
  readonly replays: readonly PlannedReplay[];
}

export function lawPlan(seed: number): LawPlan {
  const random = new SeededRandom(seed);
  const corpus = random.next() < 0.5 ? random.between(0, 1) : generated(random, seed);
  return {
    seed,
    corpus,
    epochSize: random.pick([2, 3, 7, 10, 20, 20, 33, 1_000]),
    lanes: random.pick([1, 2, 2, 3, 5]),
    firstCode: random.pick<CodeName>(['older', 'older', 'newer']),
    startsWith: random.pick([0.1, 0.3, 0.5, 0.7, 0.9, 1]),
    replays: Array.from({ length: random.between(1, 3) }, () => replay(random)),
  };
}

function generated(random: SeededRandom, seed: number): CorpusChoice {
  return {
    transactions: random.between(60, 300),
    perStep: random.between(5, 30),
    shards: random.pick<1 | 2 | 4>([1, 2, 4]),
    seed: `replay-${seed}`,
  };
}

function replay(random: SeededRandom): PlannedReplay {
  const [a, b] = [random.next(), random.next()];
  return {
    code: random.pick<CodeName>(['older', 'newer', 'newer']),
    part: random.next() < 0.5 ? null : { from: Math.min(a, b), to: Math.max(a, b) },
    cuts: random.pick([0, 1, 2, 3]),
    grows: random.pick([0, 5, 10, 20]),
    trims: random.next() < 0.3,
    lanes: random.between(1, 4),
    batchRows: random.pick([1, 20, 60, 60, 300, 20_000]),
    afterwards: random.pick(['nothing', 'nothing', 'rollback', 'prune']),
  };
}
