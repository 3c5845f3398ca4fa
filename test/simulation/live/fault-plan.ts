import type { SeededRandom } from '../../helpers/seeded-random.ts';

/** Faults of one server, or of its connection. Each names what the server does. */
export const FAULTS = [
  'wrong file hash',
  'another block',
  'head stands still',
  'head goes back',
  'announces 38 blocks late',
  'announces and never delivers',
  'names blocks that do not exist',
  'shard blocks missing for 15 s',
  'not in db',
  'silent for 10 s',
  'closes every connection',
  'closes inside a packet',
  'single bytes',
  'several packets in one chunk',
  'answers out of order',
  'unknown answer type',
  'answer after the time limit',
  'turned signature bit',
  'no signatures',
  'a signer twice',
  'another candidate',
  'old validators',
  'another network',
  'too long a packet',
  'away',
] as const;
export type Fault = (typeof FAULTS)[number];

/** One phase of the run: which of the four servers has which fault. At least one has none, except when all are away. */
export interface Phase {
  readonly faults: readonly (Fault | null)[];
  readonly isOutage: boolean;
}

const SERVERS = 4;
/** One phase of so many has no server at all. */
const OUTAGES = 20;

/** Plans the next phase: one to three faulty servers. The first phases go through all faults, one by one. */
export function planPhase(number: number, random: SeededRandom): Phase {
  if (number > FAULTS.length && random.oneIn(OUTAGES))
    return { faults: Array.from({ length: SERVERS }, () => 'away' as const), isOutage: true };
  const faults: (Fault | null)[] = Array.from({ length: SERVERS }, () => null);
  const first = FAULTS[number % FAULTS.length] as Fault;
  faults[random.below(SERVERS)] = first;
  const more = number < FAULTS.length ? 0 : random.below(SERVERS - 1);
  for (let count = 0; count < more; count++) {
    const free = faults.flatMap((fault, index) => (fault === null ? [index] : []));
    if (free.length > 1) faults[random.pick(free)] = random.pick(FAULTS);
  }
  return { faults, isOutage: false };
}
