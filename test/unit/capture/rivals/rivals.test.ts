import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cell } from '@ton/core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { blockIdText } from '../../../../src/capture/block-id.ts';
import { ChangedBlockError } from '../../../../src/capture/chain/chain-errors.ts';
import { RivalBlockError } from '../../../../src/capture/rivals/rival-block-error.ts';
import type { Source, SourceBlock, Step } from '../../../../src/capture/source.ts';
import { openSource } from '../../../../src/cli/compose/open-source.ts';
import { stepsOf } from '../../../contract/source/real-chain.ts';
import { writePacks } from '../../../contract/source/write-pack.ts';
import { breakMerkleUpdate, changeTime } from '../../../helpers/break-block.ts';
import { makeLocalBlocks } from '../../../helpers/local-blocks.ts';

/** The same cells in other bytes: another file hash. */
const serializeAnew = ({ boc }: SourceBlock) => {
  const [root] = Cell.fromBoc(Buffer.from(boc));
  return new Uint8Array(root!.toBoc({ idx: false, crc32: false }));
};

let folder: string;
let chain: readonly Step[];
const opened: Source[] = [];
beforeAll(async () => {
  chain = (await makeLocalBlocks()).slice(1);
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tonhouse-rivals-'));
});
afterEach(async () => {
  for (const source of opened.splice(0)) await source.close();
  await rm(folder, { recursive: true });
});

const masterchain = (seqno: number) => chain[seqno - 1]!.blocks.at(-1)!;
const shard = (seqno: number) => chain[seqno - 1]!.blocks[0]!;
const file = (name: string) => join(folder, name);

async function put(blocks: Iterable<SourceBlock>): Promise<void> {
  for (const { id, boc } of blocks) await writeFile(file(`${id.workchain}_${id.seqno}.boc`), boc);
}

async function open(kind: 'isolated' | 'files'): Promise<Source> {
  const source = await openSource(`${kind}:${folder}`);
  opened.push(source);
  return source;
}

/** The blocks that come out by origin, and what does not with its reason. */
async function outcome() {
  const steps = await stepsOf(await open('isolated'));
  const bad = steps.flatMap((step) => step.bad ?? []);
  return {
    blocks: steps.flatMap(({ blocks }) => blocks),
    bad: bad.toSorted((a, b) => (a.origin < b.origin ? -1 : 1)),
  };
}

describe('two files of unrelated blocks that claim one id', () => {
  it.each([
    ['a block behind it', () => [masterchain(3), masterchain(4)] as const],
    ['the masterchain block that commits it', () => [shard(3), masterchain(3)] as const],
    ['a shard block that was made under it', () => [masterchain(3), shard(4)] as const],
  ])('are told apart by %s', async (_name, pick) => {
    const [right, witness] = pick();
    await put([right, witness]);
    for (const [name, bytes] of Object.entries({
      'a.boc': changeTime(right.boc),
      'z.boc': serializeAnew(right),
    }))
      await writeFile(file(name), bytes);
    const { blocks, bad } = await outcome();
    expect(blocks.map(({ id }) => id)).toEqual(expect.arrayContaining([right.id, witness.id]));
    expect(blocks).toHaveLength(2);
    expect(bad.map(({ origin }) => origin)).toEqual([file('a.boc'), file('z.boc')]);
    for (const { error, bytes, origin } of bad) {
      expect(error).toBeInstanceOf(RivalBlockError);
      expect(error.message).toContain(blockIdText(right.id));
      expect(error.message).toContain(origin);
      expect(error.message).toContain(blockIdText(witness.id));
      expect(Buffer.from(bytes).equals(await readFile(origin))).toBe(true);
    }
  });

  it('are told apart where one contradicts itself', async () => {
    const right = shard(3);
    await put([right]);
    await writeFile(file('a.boc'), breakMerkleUpdate(right.boc));
    const { blocks, bad } = await outcome();
    expect(blocks.map(({ id }) => id)).toEqual([right.id]);
    expect(bad).toMatchObject([{ origin: file('a.boc'), error: { code: 'rival-block' } }]);
    expect(bad[0]!.error.message).toMatch(/merkle/);
  });

  it('are told apart where one names a block that is not the one there', async () => {
    const [before, right] = [masterchain(2), masterchain(3)];
    const other = (await makeLocalBlocks({ seed: 'other' })).flatMap(({ blocks }) => blocks);
    const foreign = other.find(({ id }) => blockIdText(id) === blockIdText(right.id))!;
    await put([before, right]);
    await writeFile(file('a.boc'), foreign.boc);
    const { blocks, bad } = await outcome();
    expect(blocks.map(({ id }) => id)).toEqual([before.id, right.id]);
    expect(bad).toMatchObject([{ origin: file('a.boc') }]);
  });

  it('are told apart by a block that was told apart itself', async () => {
    const [one, two, three] = [masterchain(3), masterchain(4), masterchain(5)];
    await put([one, two, three]);
    await writeFile(file('a1.boc'), changeTime(one.boc));
    await writeFile(file('a2.boc'), changeTime(two.boc));
    const { blocks, bad } = await outcome();
    expect(blocks.map(({ id }) => id)).toEqual([one.id, two.id, three.id]);
    expect(bad.map(({ origin }) => origin)).toEqual([file('a1.boc'), file('a2.boc')]);
  });

  it('are both refused where nothing tells, and the others come out', async () => {
    await put([masterchain(1), masterchain(5)]);
    await writeFile(file('a.boc'), changeTime(masterchain(5).boc));
    await writeFile(file('copy.boc'), masterchain(5).boc);
    const { blocks, bad } = await outcome();
    expect(blocks.map(({ id }) => id)).toEqual([masterchain(1).id]);
    expect(bad.map(({ origin }) => origin)).toEqual([file('-1_5.boc'), file('a.boc')]);
    for (const { error } of bad) expect(error.message).toMatch(/the source does not show/);
  });

  it('may stand in one package', async () => {
    const [right, witness] = [masterchain(3), masterchain(4)];
    const { readSourceBlock } = await import('../../../../src/capture/read-block.ts');
    const changed = readSourceBlock(changeTime(right.boc), 'changed');
    const blocks = [changed, right, witness].map(({ id, boc }) => ({ id, boc, mcSeqno: id.seqno }));
    await writePacks(folder, blocks, { separator: ':', slice: 1_000 });
    const found = await outcome();
    expect(found.blocks.map(({ id }) => id)).toEqual([right.id, witness.id]);
    expect(found.bad).toHaveLength(1);
  });

  it('are one block where they are exact copies', async () => {
    await put([masterchain(3)]);
    await writeFile(file('copy.boc'), masterchain(3).boc);
    const { blocks, bad } = await outcome();
    expect([blocks.length, bad.length]).toEqual([1, 0]);
    expect((await (await open('isolated')).describe()).duplicates).toBe(1);
  });
});

describe('two files of a chain that claim one id', () => {
  it('are told apart by what is proved; the others are said by name', async () => {
    await put(chain.flatMap(({ blocks }) => blocks));
    const wrong = [
      changeTime(masterchain(3).boc),
      changeTime(shard(4).boc),
      serializeAnew(shard(4)),
      breakMerkleUpdate(masterchain(chain.length).boc),
    ];
    for (const [at, bytes] of wrong.entries()) await writeFile(file(`${at} wrong.boc`), bytes);
    const source = await open('files');
    const steps = await stepsOf(source);
    expect(steps.flatMap(({ blocks }) => blocks.map(({ id }) => id))).toEqual(
      chain.flatMap(({ blocks }) => blocks.map(({ id }) => id)),
    );
    const { ignored, blocks } = await source.describe();
    expect(blocks).toBe(chain.flatMap((step) => step.blocks).length);
    for (const at of wrong.keys())
      expect(ignored.filter((note) => note.includes(`${at} wrong.boc is not taken`))).toHaveLength(1);
  });

  it('are refused where nothing tells', async () => {
    await put(chain.flatMap(({ blocks }) => blocks));
    await writeFile(file('wrong.boc'), changeTime(masterchain(chain.length).boc));
    await expect(stepsOf(await open('files'))).rejects.toThrow(ChangedBlockError);
  });
});
