import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { type ChunkDecoder, type ChunkRecord, isFailure } from '../../../../src/engine/decoding/chunk.ts';
import { LocalDecoder } from '../../../../src/engine/decoding/local-decoder.ts';
import { PooledDecoder, type PooledDecoderOptions } from '../../../../src/engine/decoding/pooled-decoder.ts';
import { createDecoder } from '../../../../src/projections/records/kernel-decoder.ts';
import { readBlockHeader } from '../../../../src/ton/decode/block-header.ts';
import { ownMeta, readBytes, sharedBlocks } from '../../../e2e/facts-blocks.ts';
import { columnDigests } from '../../../e2e/kernel-digests.ts';
import { columnsOf, DECODER_OPTIONS, rawBlockRecord } from '../../../helpers/raw-block-records.ts';
import { describeWithChain } from '../../../helpers/shared-data.ts';
import { threadNames } from '../../../helpers/thread-names.ts';
import { createDecoder as createFragile, type Death, type FragileOptions } from './fragile-decoder.ts';

const FRAGILE = new URL('./fragile-decoder.ts', import.meta.url).href;

describeWithChain('decoding on threads that may die', ({ data, set }) => {
  let records: ChunkRecord[];
  let victim: string;
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-pool-'));
  const decoders: ChunkDecoder[] = [];
  beforeAll(() => {
    const blocks = sharedBlocks(data, set).slice(0, 24);
    records = blocks.map(({ path }) => {
      const bytes = readBytes(path);
      return rawBlockRecord(bytes, ownMeta(readBlockHeader(bytes)));
    });
    victim = records[7]?.key as string;
    return () => rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    await Promise.all(decoders.splice(0).map((decoder) => decoder.close()));
  });

  const deathNotes: string[] = [];
  async function pooled(options: FragileOptions, more: Partial<PooledDecoderOptions> = {}) {
    deathNotes.length = 0;
    const onWorkerCrash = (text: string) => void deathNotes.push(text);
    const decoder = await PooledDecoder.start({
      module: FRAGILE,
      options,
      workers: 2,
      onWorkerCrash,
      ...more,
    });
    decoders.push(decoder);
    return decoder;
  }

  /** Digests of the columns of the records without the named one. */
  async function expectedWithout(key: string | null) {
    const local = new LocalDecoder(await createDecoder(DECODER_OPTIONS));
    return columnDigests(columnsOf([await local.decode(records.filter((record) => record.key !== key))]));
  }

  const chunks = () => [records.slice(0, 5), records.slice(5, 12), records.slice(12, 13), records.slice(13)];

  it("gives the rows that the caller's own thread gives", async () => {
    const decoder = await pooled({ real: DECODER_OPTIONS, deaths: {} });
    const decoded = await Promise.all(chunks().map((chunk) => decoder.decode(chunk)));
    expect(decoded.flatMap(({ outcomes }) => outcomes).filter(isFailure)).toEqual([]);
    expect(columnDigests(columnsOf(decoded))).toEqual(await expectedWithout(null));
    expect(deathNotes).toEqual([]);
  });

  it('blocks that are stored make no row of raw_blocks, and are trusted to be the bytes of their file hash', async () => {
    const decoder = await pooled({ real: DECODER_OPTIONS, deaths: {} });
    const stored = records.map((record) => ({ ...record, isStored: true }));
    const columns = columnsOf([await decoder.decode(stored)]);
    expect(columns.tables.raw_blocks.rows).toBe(0);
    const isOfOthers = ([name]: [string, string]) => !name.startsWith('raw_blocks.');
    expect(Object.entries(columnDigests(columns)).filter(isOfOthers)).toEqual(
      Object.entries(await expectedWithout(null)).filter(isOfOthers),
    );
    const [first] = sharedBlocks(data, set);
    const bytes = readBytes(first?.path as string);
    const meta = { ...ownMeta(readBlockHeader(bytes)), fileHash: new Uint8Array(32) };
    const wrong = rawBlockRecord(bytes, meta);
    const { outcomes } = await decoder.decode([wrong, { ...wrong, isStored: true }]);
    expect(outcomes).toMatchObject([{ code: 'file_hash' }, { blocks: 1 }]);
  });

  it.each(['exit', 'throw', 'hang', 'memory', 'trap'] as const)(
    'a record that a thread dies of twice (%s) is named; the others have their rows',
    async (death: Death) => {
      const limits = death === 'hang' ? { chunkMs: 1_500 } : { heapMb: 48 };
      const decoder = await pooled({ real: DECODER_OPTIONS, deaths: { [victim]: death } }, limits);
      const decoded = await Promise.all(chunks().map((chunk) => decoder.decode(chunk)));
      const failures = decoded.flatMap(({ outcomes }) => outcomes).map((o) => (isFailure(o) ? o.code : 'ok'));
      expect(failures).toEqual(records.map(({ key }) => (key === victim ? 'decoder-died' : 'ok')));
      expect(columnDigests(columnsOf(decoded))).toEqual(await expectedWithout(victim));
      // Once for the chunk, once for the record, and no other chunk.
      expect(deathNotes).toHaveLength(2);
      expect(deathNotes[1]).toContain(victim);
    },
  );

  it('a record that a thread dies of once has its rows after the second try', async () => {
    const once = join(folder, 'once');
    const decoder = await pooled({ real: DECODER_OPTIONS, deaths: { [victim]: 'exit' }, once });
    const decoded = await Promise.all(chunks().map((chunk) => decoder.decode(chunk)));
    expect(decoded.flatMap(({ outcomes }) => outcomes).filter(isFailure)).toEqual([]);
    expect(columnDigests(columnsOf(decoded))).toEqual(await expectedWithout(null));
    expect(deathNotes).toHaveLength(1);
    expect(existsSync(once) && readFileSync(once, 'utf8')).toBe(`${victim}\n${victim}\n`);
  });

  it("a trap on the caller's own thread is a record's failure too, and no more", async () => {
    const decode = await createFragile({ real: DECODER_OPTIONS, deaths: { [victim]: 'trap' } });
    const local = new LocalDecoder(decode);
    const decoded = [];
    for (const chunk of chunks()) decoded.push(await local.decode(chunk));
    const codes = decoded.flatMap(({ outcomes }) => outcomes).map((o) => (isFailure(o) ? o.code : 'ok'));
    expect(codes).toEqual(records.map(({ key }) => (key === victim ? 'decoder-died' : 'ok')));
    expect(columnDigests(columnsOf(decoded))).toEqual(await expectedWithout(victim));
  });

  it("a decoder that cannot start is no record's fault", async () => {
    const real = { ...DECODER_OPTIONS, schemas: join(folder, 'nowhere') };
    await expect(pooled({ real, deaths: {} })).rejects.toMatchObject({ name: 'WorkerStartError' });
  });

  it.skipIf(process.platform !== 'linux')(
    'decoders share threads: each goes on when another is closed, or dies of a record',
    async () => {
      const one = await pooled({ real: DECODER_OPTIONS, deaths: {} });
      const other = await pooled({ real: DECODER_OPTIONS, deaths: { [victim]: 'exit' } });
      expect(threadNames().filter((name) => name === 'decode')).toHaveLength(2);
      const [ofOne, ofOther] = await Promise.all(
        [one, other].map((decoder) => Promise.all(chunks().map((chunk) => decoder.decode(chunk)))),
      );
      expect(columnDigests(columnsOf(ofOne!))).toEqual(await expectedWithout(null));
      expect(columnDigests(columnsOf(ofOther!))).toEqual(await expectedWithout(victim));
      await other.close();
      await expect(other.decode(records)).rejects.toMatchObject({ name: 'PoolClosedError' });
      expect(columnDigests(columnsOf([await one.decode(records)]))).toEqual(await expectedWithout(null));
    },
  );

  it.skipIf(process.platform !== 'linux')('closing leaves no thread', async () => {
    const decoder = await pooled({ real: DECODER_OPTIONS, deaths: { [victim]: 'hang' } });
    const open = chunks().map((chunk) => decoder.decode(chunk));
    const settled = Promise.allSettled(open);
    expect(threadNames().filter((name) => name === 'decode')).toHaveLength(2);
    await decoder.close();
    // The system may still be taking a thread down that has ended.
    await expect.poll(threadNames).not.toContain('decode');
    const last = (await settled).filter(({ status }) => status === 'rejected');
    for (const result of last) expect(result).toMatchObject({ reason: { name: 'PoolClosedError' } });
    expect(last.length).toBeGreaterThan(0);
  });
});
