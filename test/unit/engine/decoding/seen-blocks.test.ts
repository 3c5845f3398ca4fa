import { describe, expect, it } from 'vitest';
import { type DedupResult, SeenBlocks } from '../../../../src/engine/decoding/seen-blocks.ts';
import type { LogRecord } from '../../../../src/log/port.ts';

const record = (position: number, key: string, root = 'aa', epoch = 0): LogRecord => ({
  lane: 0,
  offset: 0,
  epoch,
  position,
  endsStep: true,
  appendedAt: 0,
  key,
  headers: { root_hash: root },
  value: new Uint8Array(),
});

/** A store that holds `blocks` (position, key, root). */
const stored = (...blocks: [number, string, string][]) => ({
  asked: [] as string[],
  async highest(_epoch: number, below: number) {
    return Math.max(-1, ...blocks.map(([position]) => position).filter((position) => position < below));
  },
  async rootHash(key: string) {
    this.asked.push(key);
    return blocks.find((block) => block[1] === key)?.[2] ?? null;
  },
});

async function sightings(seen: SeenBlocks, records: LogRecord[]): Promise<DedupResult[]> {
  const found: DedupResult[] = [];
  for (const one of records) {
    const sighting = await seen.check(one);
    if (sighting === 'new') seen.add(one);
    found.push(sighting);
  }
  return found;
}

describe('SeenBlocks', () => {
  it('takes new steps without asking the store', async () => {
    const store = stored();
    const seen = new SeenBlocks(store);
    const records = [record(1, 's1'), record(1, 'm1'), record(2, 's2'), record(2, 'm2')];
    expect(await sightings(seen, records)).toEqual(['new', 'new', 'new', 'new']);
    expect(store.asked).toEqual([]);
  });

  it('drops an exact copy, in its step and later', async () => {
    const seen = new SeenBlocks(stored());
    const records = [record(1, 'a'), record(1, 'a'), record(2, 'b'), record(1, 'a'), record(2, 'b')];
    expect(await sightings(seen, records)).toEqual(['new', 'duplicate', 'new', 'duplicate', 'duplicate']);
  });

  it('distinguishes a changed block from a copy', async () => {
    const seen = new SeenBlocks(stored());
    expect(await sightings(seen, [record(1, 'a'), record(1, 'a', 'bb')])).toEqual(['new', 'changed']);
  });

  it('knows after a restart what the store has', async () => {
    const seen = new SeenBlocks(stored([1, 'a', 'aa'], [2, 'b', 'aa']));
    const records = [record(2, 'b'), record(1, 'a', 'bb'), record(3, 'c')];
    expect(await sightings(seen, records)).toEqual(['duplicate', 'changed', 'new']);
  });

  it('accepts a rewound range as new, even if the store has it', async () => {
    const seen = new SeenBlocks(stored([1, 'a', 'aa'], [2, 'b', 'aa']));
    await sightings(seen, [record(3, 'c')]);
    seen.rewind(2);
    expect(await sightings(seen, [record(2, 'b'), record(3, 'c')])).toEqual(['new', 'new']);
  });

  it('separates epochs: an old one may be filled during work at the head', async () => {
    const seen = new SeenBlocks(stored());
    const records = [record(900, 'head', 'aa', 9), record(1, 'old', 'aa', 0), record(901, 'next', 'aa', 9)];
    expect(await sightings(seen, records)).toEqual(['new', 'new', 'new']);
  });
});
