import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ChunkStream, type LaneChunk } from '../../../../src/engine/decoding/chunk-stream.ts';
import { SeenBlocks } from '../../../../src/engine/decoding/seen-blocks.ts';
import type { LogRecord } from '../../../../src/log/port.ts';
import { lane, type RecordFacts, reader, ScriptedDecoder } from './scripted-decoder.ts';

const nothingStored = { highest: async () => -1, rootHash: async () => null };

/** A stream over the records, and the dead letters that it writes. */
function streamOf(records: LogRecord[], decoder: ScriptedDecoder, atOnce?: number) {
  const letters: [key: string, code: string][] = [];
  const deadLetters = {
    put: async ({ key }: LogRecord, { code }: { code: string }) => void letters.push([key, code]),
  };
  const seen = new SeenBlocks(nothingStored);
  const stream = new ChunkStream(reader(records, atOnce), 0, seen, { decoder, deadLetters });
  return { stream, letters };
}

async function all(stream: ChunkStream): Promise<LaneChunk[]> {
  const chunks: LaneChunk[] = [];
  for (let chunk = await stream.next(); chunk; chunk = await stream.next()) chunks.push(chunk);
  return chunks;
}

const ranges = (chunks: readonly LaneChunk[]) => chunks.map(({ from, next }) => [from, next]);
const steps = (count: number, facts: (i: number) => Partial<RecordFacts> = () => ({})) =>
  lane(...Array.from({ length: count }, (_, i) => ({ position: i, ...facts(i) })));

describe('ChunkStream', () => {
  it('returns chunks in the order of the log, for any order of the answers', async () => {
    const decoder = new ScriptedDecoder(2, 4);
    decoder.when = (chunk) => sleep([40, 1, 25, 3][chunk % 4]);
    const { stream } = streamOf(steps(20), decoder);
    const chunks = await all(stream);
    expect(ranges(chunks)).toEqual(Array.from({ length: 10 }, (_, i) => [i * 2, i * 2 + 2]));
    expect(chunks.map(({ counts }) => counts.transactions)).toEqual(Array(10).fill(20));
    expect(decoder.mostUnderWay).toBe(4);
  });

  it('decodes no more chunks ahead than the decoder can use, even if no chunk is requested', async () => {
    const decoder = new ScriptedDecoder(1, 3);
    const { stream } = streamOf(steps(50), decoder);
    await stream.next();
    await sleep(20);
    expect(decoder.seen.length).toBe(3);
    await stream.next();
    expect(decoder.seen.length).toBe(4);
    await stream.close();
    expect(decoder.released).toBe(2);
  });

  it('ends a chunk at the end of the epoch, and reports whether a step ends with it', async () => {
    const facts = (i: number) => ({ epoch: i < 3 ? 0 : 8, endsStep: i % 2 === 0 });
    const { stream } = streamOf(steps(6, facts), new ScriptedDecoder(2, 2));
    const chunks = await all(stream);
    expect(chunks.map(({ epoch, from, next, endsStep }) => [epoch, from, next, endsStep])).toEqual([
      [0, 0, 3, true],
      [8, 3, 5, true],
      [8, 5, 6, false],
    ]);
  });

  it('cuts a step of many bytes', async () => {
    const { stream } = streamOf(
      steps(9, (i) => ({ endsStep: i === 8 })),
      new ScriptedDecoder(2, 2),
    );
    expect(ranges(await all(stream))).toEqual([
      [0, 4],
      [4, 8],
      [8, 9],
    ]);
  });

  it('drops a copy whose first is still under way, after waiting for it', async () => {
    const decoder = new ScriptedDecoder(2, 4);
    decoder.when = () => sleep(10);
    const { stream, letters } = streamOf(
      lane(
        { position: 1, key: 'a' },
        { position: 1, key: 'a' },
        { position: 2, key: 'b' },
        { position: 1, key: 'a' },
      ),
      decoder,
    );
    const chunks = await all(stream);
    expect(decoder.seen.flat()).toEqual(['a', 'b']);
    expect(chunks.reduce((sum, { counts }) => sum + counts.duplicates, 0)).toBe(2);
    expect(letters).toEqual([]);
    expect(chunks.at(-1)?.next).toBe(4);
  });

  it('accepts a copy as new if the first could not be decoded', async () => {
    const decoder = new ScriptedDecoder(2, 4);
    let tries = 0;
    decoder.outcome = () =>
      ++tries === 1 ? { code: 'boc', message: 'damaged' } : { blocks: 1, transactions: 1, messages: 0 };
    const { stream, letters } = streamOf(lane({ position: 1, key: 'a' }, { position: 1, key: 'a' }), decoder);
    const counts = (await all(stream)).map((chunk) => chunk.counts);
    expect(decoder.seen).toEqual([['a'], ['a']]);
    expect(letters).toEqual([['a', 'boc']]);
    expect(counts.map(({ blocks, deadLetters }) => [blocks, deadLetters])).toEqual([
      [0, 1],
      [1, 0],
    ]);
  });

  it('writes dead letters in the order of the log, changed blocks among them', async () => {
    const decoder = new ScriptedDecoder(2, 4);
    decoder.when = (chunk) => sleep(chunk === 0 ? 30 : 1);
    decoder.outcome = ({ key }) =>
      key.startsWith('bad') ? { code: 'cell', message: key } : { blocks: 1, transactions: 1, messages: 0 };
    const { stream, letters } = streamOf(
      lane(
        { position: 1, key: 'bad1' },
        { position: 2, key: 'a' },
        { position: 3, key: 'bad2' },
        { position: 4, key: 'a', root: 'bb' },
        { position: 5, key: 'bad3' },
      ),
      decoder,
    );
    await all(stream);
    expect(letters).toEqual([
      ['bad1', 'cell'],
      ['bad2', 'cell'],
      ['a', 'changed-block'],
      ['bad3', 'cell'],
    ]);
  });

  it('continues when the log continues', async () => {
    const records = steps(2);
    const { stream } = streamOf(records, new ScriptedDecoder(5, 2));
    expect(ranges(await all(stream))).toEqual([[0, 2]]);
    expect(await stream.next()).toBe(null);
    records.push(...steps(4).slice(2));
    expect(ranges(await all(stream))).toEqual([[2, 4]]);
  });

  it('fails with the decoder, and not before the chunk has its turn', async () => {
    const decoder = new ScriptedDecoder(1, 3);
    decoder.when = async (chunk) => {
      if (chunk === 1) throw new Error('no more threads');
    };
    const { stream } = streamOf(steps(5), decoder);
    expect(await stream.next()).toMatchObject({ from: 0, next: 1 });
    await expect(stream.next()).rejects.toThrow('no more threads');
    await stream.close();
    expect(decoder.held).toBe(1);
  });
});
