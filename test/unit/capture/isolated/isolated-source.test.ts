import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { compareBlockIds, isMasterchain } from '../../../../src/capture/block-id.ts';
import type { Source } from '../../../../src/capture/source.ts';
import { openSource, SourceSpecError } from '../../../../src/cli/compose/open-source.ts';
import { readBlocks, stepsOf } from '../../../contract/source/real-chain.ts';
import { writePacks } from '../../../contract/source/write-pack.ts';
import { describeWithData } from '../../../helpers/shared-data.ts';

let folder: string;
const opened: Source[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tonhouse-isolated-'));
});
afterEach(async () => {
  for (const source of opened.splice(0)) await source.close();
  await rm(folder, { recursive: true });
});

async function open(path: string): Promise<Source> {
  const source = await openSource(`isolated:${path}`);
  opened.push(source);
  return source;
}

describeWithData('isolated blocks', (data) => {
  const sets = join(data, 'blocks');
  const single = join(sets, 'mainnet-single');
  const block = '-1_8000000000000000_814551.boc';

  it('of every set are handed out, each at its masterchain seqno', async () => {
    for (const set of (await readdir(sets)).filter((name) => name !== 'special' && name !== 'packs')) {
      const wanted = readBlocksOf(join(sets, set));
      const steps = await stepsOf(await open(join(sets, set)));
      const seen = steps.flatMap(({ blocks }) => blocks);
      expect([set, seen.length]).toEqual([set, wanted.length]);
      expect(steps.every(({ isolated, bad }) => isolated && !bad?.length)).toBe(true);
      for (const { mcSeqno, blocks } of steps) {
        for (const { id, header } of blocks)
          expect(mcSeqno).toBe(isMasterchain(id) ? id.seqno : header.masterRef?.seqno);
        expect(blocks.map(({ id }) => id)).toEqual(blocks.map(({ id }) => id).sort(compareBlockIds));
      }
      const positions = steps.map(({ mcSeqno }) => mcSeqno);
      expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
    }
  });

  function readBlocksOf(set: string) {
    return readBlocks(set, (name) => !name.includes('proof'));
  }

  it('may come from packages', async () => {
    await writePacks(folder, readBlocksOf(single), { separator: ':', slice: 1_000_000 });
    expect((await stepsOf(await open(folder))).flatMap(({ blocks }) => blocks)).toHaveLength(23);
  });

  it('that cannot be read are handed out as bad', async () => {
    await copyFile(join(single, block), join(folder, 'good.boc'));
    await writeFile(join(folder, 'cut.boc'), (await readFile(join(single, block))).subarray(0, 900));
    await writeFile(join(folder, 'empty.boc'), '');
    await writeFile(join(folder, 'notes.txt'), 'nothing');
    await copyFile(join(sets, 'special/tycho_block_root_tag_11ef55bb.boc'), join(folder, 'tycho.boc'));
    const source = await open(folder);
    const steps = await stepsOf(source);
    expect(steps.flatMap(({ blocks }) => blocks)).toHaveLength(1);
    const bad = steps.flatMap((step) => step.bad ?? []);
    expect(bad.map(({ origin }) => origin.slice(folder.length + 1))).toEqual([
      'cut.boc',
      'empty.boc',
      'tycho.boc',
    ]);
    expect(bad.map(({ bytes }) => bytes.length)).toEqual([900, 0, expect.any(Number)]);
    expect((await source.describe()).ignored).toEqual([`${join(folder, 'notes.txt')}: not a bag of cells`]);
  });

  it('of a package that is cut or broken are handed out as far as they go', async () => {
    await writePacks(
      folder,
      readBlocksOf(single).filter(({ id }) => isMasterchain(id)),
      { separator: ':', slice: 1e9 },
    );
    const [pack] = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.pack'));
    const bytes = await readFile(join(folder, pack!));
    await writeFile(join(folder, pack!), bytes.subarray(0, -100));
    await writeFile(join(folder, 'broken.pack'), 'no package');
    const steps = await stepsOf(await open(folder));
    expect(steps.flatMap(({ blocks }) => blocks)).toHaveLength(13);
    expect(steps.flatMap((step) => step.bad ?? []).map(({ error }) => error)).toMatchObject([
      { code: 'truncated' },
      { code: 'magic' },
    ]);
  });

  it('that are all bad still come out', async () => {
    await writeFile(join(folder, 'empty.boc'), '');
    expect(await stepsOf(await open(folder))).toMatchObject([
      { blocks: [], bad: [{ origin: join(folder, 'empty.boc') }] },
    ]);
  });

  it('are dropped as duplicates, and bad under one id with other bytes', async () => {
    await copyFile(join(single, block), join(folder, 'a.boc'));
    await copyFile(join(single, block), join(folder, 'b.boc'));
    const source = await open(folder);
    expect((await stepsOf(source)).flatMap(({ blocks }) => blocks)).toHaveLength(1);
    expect((await source.describe()).duplicates).toBe(1);
    // The same cells, serialised without an index: another file hash.
    const { Cell } = await import('@ton/core');
    const [root] = Cell.fromBoc(await readFile(join(single, block)));
    await writeFile(join(folder, 'c.boc'), root!.toBoc({ idx: false }));
    // Nothing here shows which of the two is the network's.
    const steps = await stepsOf(await open(folder));
    expect(steps.flatMap(({ blocks }) => blocks)).toEqual([]);
    expect(
      steps.flatMap((step) => step.bad ?? []).map(({ origin }) => origin.slice(folder.length + 1)),
    ).toEqual(['a.boc', 'c.boc']);
  });
});

it.each(['', 'files', 'files:', 'liteserver:x', '/a/folder', 'FILES:/tmp'])(
  '%j is no source',
  async (spec) => {
    await expect(openSource(spec)).rejects.toThrow(SourceSpecError);
    await expect(openSource(spec)).rejects.toThrow(/archive:PATH.*files:PATH/);
  },
);

it('a path that is not there is named', async () => {
  await expect(openSource(`files:${join(folder, 'gone')}`)).rejects.toThrow(/gone cannot be read \(ENOENT\)/);
});
