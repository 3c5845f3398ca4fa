import { describe, expect, it } from 'vitest';
import { ChainReader } from '../../../../src/log/chain/chain-reader.ts';
import { ChainGapError } from '../../../../src/log/errors.ts';
import { type LogRecord, type ReadLimit, toOffset } from '../../../../src/log/port.ts';

const EPOCH_SIZE = 4;
const LANES = 2;
const LIMIT: ReadLimit = { records: 3, bytes: 1 << 20 };

/**
 * A log in memory: the steps of each lane in the order of their appends, two records a step. `first`: the first offset
 * of a lane; `onRead` is called after each read of a lane.
 */
function logOf(
  positions: readonly number[],
  first: Readonly<Record<number, number>> = {},
  onRead: () => void = () => {},
) {
  const lanes: LogRecord[][] = Array.from({ length: LANES }, () => []);
  for (const position of positions) {
    const epoch = Math.floor(position / EPOCH_SIZE);
    const lane = epoch % LANES;
    for (const key of [`shard ${position}`, `mc ${position}`]) {
      const records = lanes[lane] as LogRecord[];
      records.push({
        key,
        headers: {},
        value: new Uint8Array(1),
        lane,
        // Offsets have holes, as Kafka's have.
        offset: records.length * 3,
        epoch,
        position,
        endsStep: key.startsWith('mc'),
        appendedAt: 0,
      });
    }
  }
  const kept = (lane: number) =>
    (lanes[lane] as LogRecord[]).filter(({ offset }) => offset >= (first[lane] ?? 0));
  const bus = {
    bounds: async () =>
      lanes.map((records, lane) => ({
        lane,
        first: kept(lane)[0]?.offset ?? 0,
        next: (records.at(-1)?.offset ?? -1) + 1,
      })),
    highest: async () => Math.max(-1, ...positions),
    read: async (_topic: string, lane: number, from: number, { records: most }: ReadLimit) => {
      const found: LogRecord[] = [];
      for (const record of kept(lane).filter(({ offset }) => offset >= from)) {
        if (found[0] && found[0].epoch !== record.epoch) break;
        found.push(record);
        if (record.endsStep && found.length >= most) break;
      }
      onRead();
      return found;
    },
  };
  return new ChainReader({
    bus,
    topic: 't',
    identity: { epochSize: EPOCH_SIZE, lanes: LANES },
    partition: 0,
  });
}

/** Everything that the reader returns from an offset on, continued after the last record like a caller. */
async function readAll(reader: ChainReader, from: number): Promise<LogRecord[]> {
  const all: LogRecord[] = [];
  for (let at = from; ; at = (all.at(-1)?.offset ?? 0) + 1) {
    const records = await reader.read(at, LIMIT);
    if (records.length === 0) return all;
    all.push(...records);
  }
}

const span = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i);
const keysOf = (positions: readonly number[]) => positions.flatMap((p) => [`shard ${p}`, `mc ${p}`]);

describe('ChainReader', () => {
  it('gives the steps of all lanes in the order of the chain', async () => {
    const records = await readAll(logOf(span(1, 21)), 0);
    expect(records.map(({ key }) => key)).toEqual(keysOf(span(1, 21)));
    expect(records.slice(0, 3).map(({ offset }) => offset)).toEqual([
      toOffset(1),
      toOffset(1) + 1,
      toOffset(2),
    ]);
  });

  it.each(span(1, 21))('continues from step %i without a restart', async (position) => {
    const records = await readAll(logOf(span(1, 21)), toOffset(position));
    expect(records.map(({ key }) => key)).toEqual(keysOf(span(position, 21)));
    const behind = await readAll(logOf(span(1, 21)), toOffset(position) + 2);
    expect(behind.map(({ key }) => key)).toEqual(keysOf(span(position + 1, 21)));
  });

  it('leaves copies out, wherever it begins', async () => {
    const positions = [...span(1, 3), 2, 3, ...span(4, 9), 8, 9, 9, ...span(10, 17), ...span(16, 18)];
    for (const position of span(1, 18)) {
      const records = await readAll(logOf(positions), toOffset(position));
      expect(
        records.map(({ key }) => key),
        `from ${position}`,
      ).toEqual(keysOf(span(position, 18)));
    }
  });

  it('finds a step that is followed by many copies of earlier ones', async () => {
    const positions = [...span(1, 19), ...span(1, 3), ...span(1, 3), ...span(1, 3), ...span(1, 3)];
    for (const position of span(1, 19)) {
      const records = await readAll(logOf(positions), toOffset(position));
      expect(
        records.map(({ key }) => key),
        `from ${position}`,
      ).toEqual(keysOf(span(position, 19)));
    }
  });

  it('waits at the end of the log, and continues when there is more', async () => {
    const reader = logOf(span(1, 5));
    expect(await reader.read(toOffset(6), LIMIT)).toEqual([]);
    expect(await readAll(logOf([]), 0)).toEqual([]);
  });

  it('reports where the log begins if that is after the next step', async () => {
    // Lane 0 has lost its first epoch: its records begin with the steps from 8 on.
    const reader = logOf(span(1, 13), { 0: 18 });
    await expect(reader.read(toOffset(2), LIMIT)).rejects.toThrow(ChainGapError);
    expect((await readAll(reader, toOffset(4))).map(({ position }) => position)).toEqual(
      span(4, 13).flatMap((p) => [p, p]),
    );
  });

  it('begins where the log begins, even if its first steps are freed meanwhile', async () => {
    const first: Record<number, number> = {};
    // Both lanes were looked at; then lane 0 loses its first epoch.
    let looks = 0;
    const reader = logOf(span(1, 13), first, () => {
      if (++looks === LANES) first[0] = 18;
    });
    expect((await readAll(reader, 0)).map(({ position }) => position)).toEqual(
      span(4, 13).flatMap((p) => [p, p]),
    );
  });
});
