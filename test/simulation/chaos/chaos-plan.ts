import { SeededRandom } from '../../contract/log/seeded-random.ts';
import { isColdRound } from '../common/cold-folder.ts';
import type { Corpus } from './chaos-world.ts';

/** Target of a fault: two faults at the same time never share one. */
export type Victim = 'capture' | 'decode' | 'publish' | 'serve' | 'seal' | 'broker' | 'store' | 'network';

/** Faults: the target of each, and its relative frequency. */
export const FAULTS = {
  'capture: kill -9': { victim: 'capture', weight: 3 },
  'capture: paused beyond its session, another takes over': { victim: 'capture', weight: 2 },
  'capture: blocks delivered again, in another order': { victim: 'capture', weight: 4 },
  'decode: kill -9': { victim: 'decode', weight: 5 },
  'decode: paused beyond its session': { victim: 'decode', weight: 3 },
  'decode: stopped between its journal entry and its insert, beyond its session': {
    victim: 'decode',
    weight: 5,
  },
  'decode: told to stop': { victim: 'decode', weight: 2 },
  'decode: members join and leave every second': { victim: 'decode', weight: 1 },
  'publish: kill -9': { victim: 'publish', weight: 3 },
  'publish: paused beyond its session': { victim: 'publish', weight: 2 },
  'publish: told to stop': { victim: 'publish', weight: 1 },
  'serve: kill -9': { victim: 'serve', weight: 5 },
  'serve: paused beyond its session': { victim: 'serve', weight: 3 },
  'serve: stopped between its journal entry and its insert, beyond its session': {
    victim: 'serve',
    weight: 3,
  },
  'serve: told to stop': { victim: 'serve', weight: 2 },
  'seal: kill -9': { victim: 'seal', weight: 6 },
  'seal: paused': { victim: 'seal', weight: 2 },
  'broker: kill -9': { victim: 'broker', weight: 1 },
  'broker: paused': { victim: 'broker', weight: 2 },
  'broker: disk full': { victim: 'broker', weight: 1 },
  'store: kill -9': { victim: 'store', weight: 3 },
  'store: paused': { victim: 'store', weight: 2 },
  'network to the store: cut': { victim: 'network', weight: 3 },
  'network to the store: held back': { victim: 'network', weight: 2 },
  'network to the store: answers lost': { victim: 'network', weight: 3 },
  'network to the store: half open': { victim: 'network', weight: 2 },
  'network to the store: slow': { victim: 'network', weight: 2 },
} as const satisfies Record<string, { victim: Victim; weight: number }>;

export type FaultKind = keyof typeof FAULTS;
export const STOPPED_BEFORE_INSERT: FaultKind =
  'decode: stopped between its journal entry and its insert, beyond its session';
export const FAULT_KINDS = Object.keys(FAULTS) as FaultKind[];

/** The log between the stages: Kafka, or the SQLite files of one data directory, which has no typed topics. */
export type LogKind = 'kafka' | 'embedded';

const NOT_EMBEDDED: ReadonlySet<Victim> = new Set(['broker', 'publish']);

export interface Fault {
  readonly kind: FaultKind;
  /** After the fault before, ms. */
  readonly delayMs: number;
  /** How long it lasts, ms, for what lasts. */
  readonly lastMs: number;
  /** Chooses among equals: which decoder, which steps. */
  readonly choice: number;
}

/** One round: a new log and new databases, how they are indexed, and what happens meanwhile. All of it from the seed. */
export interface ChaosPlan {
  readonly name: string;
  readonly log: LogKind;
  readonly corpus: number;
  readonly decoders: number;
  readonly publishers: number;
  readonly lanes: number;
  readonly epochSize: number;
  /** Newest epochs whose raw blocks stay in the store; 0: all, and nothing is sealed. */
  readonly hotEpochs: number;
  /** True: old parts of tables move to a cold folder of the store. */
  readonly isCold: boolean;
  readonly batchRows: number;
  readonly sessionMs: number;
  /** Every answer of the store takes at least so much longer: work lasts long enough to be disturbed. */
  readonly storeDelayMs: number;
  /** Faults at most. */
  readonly faults: number;
  /** Endless. */
  next(): Fault;
}

const WEIGHTED = FAULT_KINDS.flatMap((kind) => Array<FaultKind>(FAULTS[kind].weight).fill(kind));

/** Kinds that a round can have, by weight. */
function kindsOf(log: LogKind, hasServers: boolean, hotEpochs: number): readonly FaultKind[] {
  return WEIGHTED.filter((kind) => {
    const { victim } = FAULTS[kind];
    if (victim === 'serve') return hasServers;
    if (victim === 'seal') return hotEpochs > 0;
    return log === 'kafka' || !NOT_EMBEDDED.has(victim);
  });
}
/** Capture ends early, so faults of capture come first. */
const EARLY = WEIGHTED.filter((kind) => FAULTS[kind].victim === 'capture');
const EARLY_FAULTS = 2;
/** Every round has it once at least, while there is work. */
const STOP_AT = 2;

/** Every third round is on the embedded log: its seed is odd. */
export function roundSeed(round: number, seeds: SeededRandom): number {
  return seeds.between(0, 2 ** 30) * 2 + (round % 3 === 2 ? 1 : 0);
}

export function chaosPlan(seed: number, corpora: readonly Pick<Corpus, 'served'>[]): ChaosPlan {
  const random = new SeededRandom(seed);
  let count = 0;
  const log: LogKind = seed % 2 === 1 ? 'embedded' : 'kafka';
  const corpus = random.between(0, corpora.length - 1);
  // Only the embedded log seals.
  const hotEpochs = log === 'embedded' ? new SeededRandom(~seed).pick([0, 1, 1, 2]) : 0;
  const kinds = kindsOf(log, corpora[corpus]?.served !== undefined, hotEpochs);
  return {
    name: `seed ${seed}`,
    log,
    corpus,
    decoders: random.between(2, 3),
    publishers: log === 'kafka' ? random.between(1, 2) : 0,
    lanes: random.pick([2, 4, 4, 8]),
    epochSize: random.pick([1, 3, 5, 10, 25]),
    hotEpochs,
    isCold: isColdRound(seed),
    batchRows: random.pick([1, 10, 20, 40]),
    sessionMs: random.between(1_500, 3_000),
    storeDelayMs: random.between(10, 40),
    faults: random.between(16, 30),
    next() {
      const isEarly = count < EARLY_FAULTS && random.next() < 0.7;
      const kind = random.pick(isEarly ? EARLY : kinds);
      return {
        kind: count++ === STOP_AT ? STOPPED_BEFORE_INSERT : kind,
        delayMs: random.between(0, isEarly ? 400 : 700),
        lastMs: random.between(200, 2_500),
        choice: random.between(0, 2 ** 30),
      };
    },
  };
}
