import type { LogIdentity, NewRecord, NewStep } from '../../../src/log/port.ts';
import { SeededRandom } from './seeded-random.ts';

export const TOPIC = 'raw-blocks';

export const IDENTITY: LogIdentity = {
  network: 'test',
  id: 'aa:bb',
  epochSize: 10,
  lanes: 4,
  facts: { continuity: 'full' },
};

export const epochOf = (position: number) => Math.floor(position / IDENTITY.epochSize);
export const laneOf = (position: number) => epochOf(position) % IDENTITY.lanes;

export function record(
  key: string,
  value: Uint8Array = new TextEncoder().encode(`value of ${key}`),
): NewRecord {
  return { key, headers: { kind: 'test' }, value };
}

/** A step at a position of the identity above, with `count` small records named after it. */
export function step(position: number, count = 1): NewStep {
  const records = Array.from({ length: count }, (_, index) => record(`${position}/${index}`));
  return { position, epoch: epochOf(position), lane: laneOf(position), records };
}

export function randomStep(random: SeededRandom, position: number): NewStep {
  const records = Array.from({ length: random.between(1, 4) }, (_, index) => ({
    key: `${position}/${index}`,
    headers: random.next() < 0.5 ? {} : { at: String(position) },
    value: random.bytes(random.pick([0, 1, 30, 300])),
  }));
  return { position, epoch: epochOf(position), lane: laneOf(position), records };
}

/**
 * The chain that a child process with this seed writes: every step and append follow from the seed and the position, so
 * that a reader knows the expected content, however often the child was killed.
 */
export function chainStep(seed: number, position: number): NewStep {
  const random = new SeededRandom(seed * 1_000_003 + position);
  const step = randomStep(random, position);
  if (random.next() > 0.2) return step;
  return { ...step, records: [...step.records, record('large', new Uint8Array(200_000).fill(position))] };
}

/** The steps of the append that begins at this position; they may span lanes and epochs. */
export function chainAppend(seed: number, position: number): NewStep[] {
  const count = new SeededRandom(seed * 7_919 + position).between(1, 14);
  return Array.from({ length: count }, (_, index) => chainStep(seed, position + index));
}
