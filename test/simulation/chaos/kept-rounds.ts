import type { ChaosPlan, Fault, FaultKind } from './chaos-plan.ts';

/** A round that failed once, by its faults: a seed would mean other faults after a new kind is added. */
interface KeptRound extends Omit<ChaosPlan, 'next' | 'faults'> {
  /** Kind, delay after the fault before and how long it lasts (ms), choice. */
  readonly script: readonly (readonly [FaultKind, number, number, number])[];
}

const AGAIN: FaultKind = 'capture: blocks delivered again, in another order';

/** Every round that ever found a fault of the product; CI runs all of them. */
const KEPT: readonly KeptRound[] = [
  {
    // Old steps, delivered again, were in the bounds of a batch of new ones: `confirmed` had ranges that end before
    // they begin, and a range measured after a crash would have contained other batches' rows.
    name: 'kept: seed 1098624822',
    log: 'kafka',
    corpus: 0,
    decoders: 2,
    publishers: 1,
    lanes: 4,
    epochSize: 10,
    hotEpochs: 0,
    isCold: false,
    batchRows: 40,
    sessionMs: 2_620,
    storeDelayMs: 16,
    script: [
      [AGAIN, 27, 0, 612_726_145],
      ['network to the store: answers lost', 300, 1_500, 0],
      [AGAIN, 468, 0, 360_250_861],
      ['store: kill -9', 600, 268, 0],
      ['decode: kill -9', 371, 0, 0],
      [AGAIN, 552, 0, 857_344_793],
    ],
  },
];

/**
 * The round of CI whose servers detect contracts: they are killed and paused while they append outcomes, write rows and
 * correct actions, and so are those that they depend on.
 */
const WITH_SERVERS: KeptRound = {
  name: 'short: servers that detect contracts',
  log: 'kafka',
  corpus: 1,
  decoders: 2,
  publishers: 1,
  lanes: 4,
  epochSize: 10,
  hotEpochs: 0,
  isCold: false,
  batchRows: 20,
  sessionMs: 3_000,
  storeDelayMs: 5,
  script: [
    ['serve: stopped between its journal entry and its insert, beyond its session', 0, 0, 0],
    ['decode: kill -9', 300, 0, 1],
    ['network to the store: cut', 300, 800, 0],
    ['serve: kill -9', 800, 0, 1],
    ['store: kill -9', 500, 400, 0],
    [AGAIN, 100, 0, 612_726_145],
    ['serve: paused beyond its session', 300, 0, 0],
    ['serve: kill -9', 900, 0, 1],
    ['broker: kill -9', 300, 800, 0],
    ['network to the store: answers lost', 200, 1_200, 0],
    ['serve: kill -9', 1_500, 0, 0],
    ['serve: kill -9', 2_000, 0, 1],
  ],
};

/**
 * The round of CI whose old epochs become cold, and whose old parts move to a cold folder, while the store and the
 * processes that seal, read and append are killed.
 */
const WITH_COLD_EPOCHS: KeptRound = {
  name: 'short: epochs become cold',
  log: 'embedded',
  corpus: 0,
  decoders: 2,
  publishers: 0,
  lanes: 4,
  epochSize: 5,
  hotEpochs: 1,
  isCold: true,
  batchRows: 20,
  sessionMs: 3_000,
  storeDelayMs: 5,
  script: [
    ['decode: kill -9', 300, 0, 0],
    ['seal: kill -9', 1_500, 0, 0],
    ['store: kill -9', 1_000, 400, 0],
    ['seal: kill -9', 1_200, 0, 0],
    [AGAIN, 100, 0, 612_726_145],
    ['seal: kill -9', 1_800, 0, 0],
    ['decode: kill -9', 100, 0, 1],
    [AGAIN, 300, 0, 360_250_861],
    ['seal: paused', 1_500, 0, 0],
    ['network to the store: cut', 500, 800, 0],
    ['seal: kill -9', 1_600, 0, 0],
  ],
};

export function keptPlans(): ChaosPlan[] {
  return KEPT.map(toPlan);
}

/** Rounds of CI. */
export function shortPlans(): ChaosPlan[] {
  return [...KEPT, WITH_SERVERS, WITH_COLD_EPOCHS].map(toPlan);
}

function toPlan({ script, ...settings }: KeptRound): ChaosPlan {
  const left = script.map(([kind, delayMs, lastMs, choice]): Fault => ({ kind, delayMs, lastMs, choice }));
  return { ...settings, faults: script.length, next: () => left.shift() as Fault };
}
