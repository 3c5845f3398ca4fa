import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openBlockArchive } from '../../../src/capture/block-archive.ts';
import { CellsOfFolder } from '../../../src/capture/files/cells-of-folder.ts';
import { scanFiles } from '../../../src/capture/files/scan-folder.ts';
import { readGivenStates } from '../../../src/capture/given-states.ts';
import type { Source } from '../../../src/capture/source.ts';
import { openSource } from '../../../src/cli/compose/open-source.ts';
import { listFiles } from '../../../src/platform/files/list-files.ts';
import { stepsOf } from '../../contract/source/real-chain.ts';
import { entryName, PACK_MAGIC, packEntry } from '../../contract/source/write-pack.ts';
import { describeWithData } from '../../helpers/shared-data.ts';
import { BAG_MAGIC, makeFifo, makeSparse, makeSpecialFiles } from '../../helpers/special-files.ts';

let folder: string;
let skipped: Record<string, string>;
const stop = { controller: new AbortController() };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tonhouse-special-'));
  skipped = {};
  stop.controller = new AbortController();
});
afterEach(() => rmSync(folder, { recursive: true }));

const reading = () => ({
  signal: stop.controller.signal,
  onSkip: (path: string, reason: string) => {
    skipped[path.slice(folder.length + 1)] = reason;
  },
});

async function open(spec: string, isolated = false): Promise<Source> {
  const source = await openSource(spec, { isolated, reading: reading() });
  onTestFinished(() => source.close());
  return source;
}

async function specialFiles(ending: string) {
  const { reasons, close } = await makeSpecialFiles(folder, ending);
  onTestFinished(close);
  return reasons;
}

describeWithData('a folder with FIFOs, devices, sockets and loops among its blocks', (data) => {
  const packs = join(data, 'blocks/packs');
  const blocks = join(data, 'blocks/mainnet-single');

  it('gives the blocks of its packages, and names everything else', async () => {
    const reasons = await specialFiles('.pack');
    for (const name of readdirSync(packs)) copyFileSync(join(packs, name), join(folder, 'below', name));
    const source = await open(`archive:${folder}`);
    expect(skipped).toEqual(reasons);
    expect(await stepsOf(source)).toHaveLength(99);
    const archive = await openBlockArchive(`archive:${folder}`, reading());
    await archive.close();
  });

  it('gives its blocks as files, through links too', async () => {
    const reasons = await specialFiles('.boc');
    const [one, two] = readdirSync(blocks).filter((name) => name.startsWith('-1_') && name.endsWith('.boc'));
    copyFileSync(join(blocks, one!), join(folder, 'one.boc'));
    symlinkSync(join(blocks, two!), join(folder, 'two.boc'));
    makeSparse(join(folder, 'zeros.bin'), 2 ** 40);
    const source = await open(`isolated:${folder}`);
    expect((await source.describe()).ignored).toEqual([`${join(folder, 'zeros.bin')}: not a bag of cells`]);
    expect((await stepsOf(source)).flatMap((step) => step.blocks)).toHaveLength(2);
    expect(skipped).toEqual(reasons);
    const archive = await openBlockArchive(`files:${folder}`, reading());
    await archive.close();
    expect(skipped).toEqual(reasons);
  });

  it('skips files that are replaced or deleted after the folder was listed', async () => {
    const names = readdirSync(blocks).filter((name) => name.startsWith('-1_') && name.endsWith('.boc'));
    for (const name of names.slice(0, 3)) copyFileSync(join(blocks, name), join(folder, name));
    const files = await listFiles(folder);
    rmSync(files[0]!);
    rmSync(files[1]!);
    makeFifo(files[1]!);
    const found = await Array.fromAsync(scanFiles(files, reading()));
    expect(found.map(({ kind, file }) => [kind, file])).toEqual([['block', files[2]]]);
    expect(Object.values(skipped)).toEqual(['removed after its folder was listed', 'a FIFO']);
  });

  it('skips packages that are replaced or deleted after the folder was listed', async () => {
    for (const name of readdirSync(packs)) copyFileSync(join(packs, name), join(folder, name));
    const source = await open(`archive:${folder}`);
    const [one, two] = readdirSync(folder).map((name) => join(folder, name));
    rmSync(one!);
    rmSync(two!);
    makeFifo(two!);
    await expect(source.describe()).resolves.toMatchObject({ firstMcSeqno: null });
    expect(new Set(Object.values(skipped))).toEqual(
      new Set(['removed after its folder was listed', 'a FIFO']),
    );
  });

  it('ends with the reason of a stop signal, wherever it is read', async () => {
    for (const name of readdirSync(packs)) copyFileSync(join(packs, name), join(folder, name));
    copyFileSync(join(blocks, readdirSync(blocks)[0]!), join(folder, 'one.boc'));
    const sources = [
      await open(`archive:${folder}`),
      await open(`files:${folder}`),
      await open(`isolated:${folder}`),
    ];
    stop.controller.abort();
    const { reason } = stop.controller.signal;
    for (const source of sources) await expect(source.describe()).rejects.toBe(reason);
    await expect(open(`archive:${folder}`)).rejects.toBe(reason);
    await expect(openBlockArchive(`files:${folder}`, reading())).rejects.toBe(reason);
    await expect(readGivenStates([join(folder, 'one.boc')], stop.controller.signal)).rejects.toBe(reason);
    const cells = new CellsOfFolder(folder, reading()).cells(new Set(['00']));
    await expect(cells.next()).rejects.toBe(reason);
  });
});

describe('a path that is no file to read', () => {
  it('is refused as a source, by what it is', async () => {
    makeFifo(join(folder, 'fifo'));
    for (const kind of ['archive', 'files', 'isolated'])
      await expect(open(`${kind}:${join(folder, 'fifo')}`)).rejects.toMatchObject({
        name: 'SourceSpecError',
        message: expect.stringContaining('fifo is a FIFO, not a regular file'),
      });
    await expect(open('archive:/dev/zero')).rejects.toThrow(/\/dev\/zero is a character device/);
    await expect(openBlockArchive('archive:/dev/zero')).rejects.toThrow(/\/dev\/zero is a character device/);
    await expect(openBlockArchive(`files:${join(folder, 'fifo')}`)).rejects.toThrow(/a FIFO/);
  });

  it('is refused as a state, by what it is', async () => {
    makeFifo(join(folder, 'fifo'));
    makeSparse(join(folder, 'huge'), 2 ** 40, BAG_MAGIC);
    for (const [name, because] of [
      ['fifo', /a FIFO/],
      ['huge', /1099511627776 bytes/],
    ] as const)
      await expect(readGivenStates([join(folder, name)])).rejects.toMatchObject({
        name: 'SettingError',
        cause: expect.objectContaining({ message: expect.stringMatching(because) }),
      });
  });

  it('is skipped among files of cells', async () => {
    const reasons = await specialFiles('.boc');
    makeSparse(join(folder, 'huge.boc'), 2 ** 40, BAG_MAGIC);
    expect(await Array.fromAsync(new CellsOfFolder(folder, reading()).cells(new Set(['00'])))).toEqual([]);
    const huge = `${join(folder, 'huge.boc')} has 1099511627776 bytes, 2147483648 are allowed`;
    expect(skipped).toEqual({ ...reasons, 'huge.boc': huge });
  });
});

it('a bag that is too large is bad by its name, and another file is passed over', async () => {
  makeSparse(join(folder, 'huge.boc'), 2 ** 40, BAG_MAGIC);
  makeSparse(join(folder, 'huge.bin'), 2 ** 40, BAG_MAGIC);
  const found = await Array.fromAsync(scanFiles(await listFiles(folder), reading()));
  expect(found.map(({ kind }) => kind)).toEqual(['other', 'bad']);
  const source = await open(`isolated:${folder}`);
  expect(await stepsOf(source)).toMatchObject([{ bad: [{ error: { name: 'UnreadableError' } }] }]);
});

it('an entry of a package that is too large for a block is not read', async () => {
  const hash = new Uint8Array(32);
  const id = { workchain: -1, shard: 1n << 63n, seqno: 1, rootHash: hash, fileHash: hash };
  const entry = packEntry(entryName('block', id, ':'), new Uint8Array());
  entry.writeUInt32LE(2 ** 32 - 1, 4);
  mkdirSync(join(folder, 'packs'));
  const pack = join(folder, 'packs/archive.00000.pack');
  makeSparse(pack, PACK_MAGIC.length + entry.length + 2 ** 32 - 1, Buffer.concat([PACK_MAGIC, entry]));
  writeFileSync(join(folder, 'note'), '');
  const archive = await openBlockArchive(`archive:${join(folder, 'packs')}`, reading());
  onTestFinished(() => archive.close());
  const wanted = { key: '(-1,8000000000000000,1)', position: 1, rootHash: '', fileHash: '' };
  await expect(archive.read(wanted)).rejects.toMatchObject({ name: 'PackError', code: 'size' });
});
