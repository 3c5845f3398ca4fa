import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BaseColumns } from '../../../../src/ton/columns/base-columns.ts';
import { readBlockHeader, readShardHashes } from '../../../../src/ton/decode/block-header.ts';
import { BlockError, type BlockMeta, decodeBlock } from '../../../../src/ton/decode/decode-block.ts';
import { ownMeta, type Rows, readBytes, readRows, sharedBlocks } from '../../../e2e/facts-blocks.ts';
import { describeWithData } from '../../../helpers/shared-data.ts';

function refusal(decode: () => unknown): BlockError {
  try {
    decode();
  } catch (error) {
    if (error instanceof BlockError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

describeWithData('decodeBlock', (data) => {
  const blocks = sharedBlocks(data);
  const find = (name: string) => {
    const block = blocks.find((candidate) => candidate.name.endsWith(name));
    if (!block) throw new Error(`${name} is not among the shared blocks`);
    return readBytes(block.path);
  };
  const bytes = find('mainnet-single/0_a000000000000000_54302203.boc');
  const meta = ownMeta(readBlockHeader(bytes));
  const options = { verify: 'root', oldStatesBelowLt: 0n } as const;

  it.each<[string, Partial<BlockMeta>, string]>([
    ['another seqno', { seqno: 1 }, 'header'],
    ['another shard', { shard: 0x2000000000000000n }, 'header'],
    ['another workchain', { workchain: -1 }, 'header'],
    ['another root hash', { rootHash: new Uint8Array(32) }, 'root_hash'],
    ['another file hash', { fileHash: new Uint8Array(32) }, 'file_hash'],
    ['a masterchain seqno that no column holds', { mcSeqno: -1 }, 'value'],
  ])('refuses a block announced with %s', (_what, wrong, code) => {
    const columns = new BaseColumns();
    const announced = { ...meta, ...wrong };
    const error = refusal(() => decodeBlock(bytes, announced, columns, options));
    expect(error.code).toBe(code);
    const shard = announced.shard.toString(16).padStart(16, '0');
    expect(error.block).toBe(`(${announced.workchain},${shard},${announced.seqno})`);
    expect(Object.values(columns.rows()).every((rows) => rows === 0)).toBe(true);
  });

  it('rows of one block are the same in any company, and a failure in between leaves no trace', () => {
    const columns = new BaseColumns();
    const names = ['prelaunch-2019', 'testnet'];
    const company = blocks.filter(({ name }) => names.includes(name.split('/')[0] as string));
    const alone = company.map(({ path }) => {
      const single = new BaseColumns();
      const block = readBytes(path);
      decodeBlock(block, ownMeta(readBlockHeader(block)), single, options);
      decodeBlock(block, ownMeta(readBlockHeader(block)), columns, options);
      expect(() => decodeBlock(block, meta, columns, options)).toThrow(BlockError);
      return readRows(single);
    });
    const together = readRows(columns);
    for (const name of Object.keys(together) as (keyof Rows)[]) {
      const expected: object[] = alone.flatMap((single): object[] => single[name]);
      expect(together[name], name).toEqual(expected);
    }
  });

  it('keeps the bytes of the block and says what it wrote', () => {
    const columns = new BaseColumns();
    const counts = decodeBlock(bytes, { ...meta, mcSeqno: 99 }, columns, options);
    const rows = readRows(columns);
    expect(counts).toEqual({ transactions: rows.transactions.length, messages: rows.messages.length });
    expect(rows.raw_blocks).toEqual([
      {
        mc_seqno: 99,
        workchain: meta.workchain,
        shard: meta.shard,
        seqno: meta.seqno,
        root_hash: meta.rootHash,
        file_hash: meta.fileHash,
        boc: bytes,
      },
    ]);
    for (const table of Object.values(rows)) for (const row of table) expect(row.mc_seqno).toBe(99);
  });

  it('gives the config of a key block, every parameter once', () => {
    const columns = new BaseColumns();
    const block = find('mainnet-single/-1_8000000000000000_46991999.boc');
    decodeBlock(block, ownMeta(readBlockHeader(block)), columns, options);
    const params = readRows(columns).config_params.map((row) => row.param);
    expect(params).toEqual([...new Set(params)]);
    expect(params).toEqual(expect.arrayContaining([0, 1, 8, 12, 17, 20, 34, -999, -71]));
  });

  it('names the shards of the blocks before a merge and a split', () => {
    const merged = readBlockHeader(find('0_0d83800000000000_4168601.boc'));
    expect(merged.afterMerge).toBe(true);
    expect(merged.prevRefs.map((prev) => prev.shard)).toEqual([0x0d83400000000000n, 0x0d83c00000000000n]);
    const split = blocks.filter(({ facts }) => facts.after_split === true);
    expect(split.length).toBeGreaterThan(0);
    const names = new Set(blocks.map(({ name }) => name));
    for (const { name, path } of split) {
      const [prev] = readBlockHeader(readBytes(path)).prevRefs;
      const shard = prev?.shard.toString(16).padStart(16, '0');
      expect(names, name).toContain(`${name.split('/')[0]}/0_${shard}_${prev?.seqno}.boc`);
    }
  });

  it('gives the top shard blocks of a masterchain block, and refuses to of another', () => {
    const top = readShardHashes(find('mainnet-genesis-0001/-1_8000000000000000_99.boc'));
    for (const id of top) {
      const shard = id.shard.toString(16).padStart(16, '0');
      const header = readBlockHeader(find(`mainnet-genesis-0001/${id.workchain}_${shard}_${id.seqno}.boc`));
      expect([header.rootHash, header.fileHash]).toEqual([id.rootHash, id.fileHash]);
    }
    expect(top).toHaveLength(4);
    expect(refusal(() => readShardHashes(bytes)).code).toBe('kind');
  });

  it.each([
    ['tycho_block_root_tag_11ef55bb.boc', 'foreign_chain'],
    ['pruned_header_proof_testnet_27620829.boc', 'kind'],
  ])('refuses %s with code %s', (file, code) => {
    const special = readBytes(join(data, 'blocks', 'special', file));
    expect(refusal(() => readBlockHeader(special)).code).toBe(code);
    const columns = new BaseColumns();
    const error = refusal(() => decodeBlock(special, meta, columns, { ...options, verify: 'none' }));
    expect(error.code).toBe(code);
  });

  it('reads a block whose shards are about to split and merge', () => {
    const trimmed = readBytes(join(data, 'blocks', 'special', 'trimmed_mc_49383163_future_split_merge.boc'));
    const columns = new BaseColumns();
    decodeBlock(trimmed, ownMeta(readBlockHeader(trimmed)), columns, options);
    expect(readRows(columns).shards.map((row) => row.shard)).toEqual(
      readShardHashes(trimmed).map((id) => id.shard),
    );
    expect(columns.rows()).toMatchObject({ blocks: 1, shards: 4, transactions: 0 });
  });
});
