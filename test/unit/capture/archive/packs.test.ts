import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openArchive } from '../../../../src/capture/archive/archive-source.ts';
import { parseBlockName } from '../../../../src/capture/archive/entry-name.ts';
import { listPacks } from '../../../../src/capture/archive/pack-groups.ts';
import { scanPack } from '../../../../src/capture/archive/scan-pack.ts';
import type { Source } from '../../../../src/capture/source.ts';
import { stepsOf } from '../../../contract/source/real-chain.ts';
import { PACK_MAGIC, packEntry } from '../../../contract/source/write-pack.ts';
import { describeWithData } from '../../../helpers/shared-data.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tonhouse-pack-'));
});
const opened: Source[] = [];
afterEach(async () => {
  for (const source of opened.splice(0)) await source.close();
  await rm(folder, { recursive: true });
});

async function openPacks(path: string): Promise<Source> {
  const source = await openArchive(path, []);
  opened.push(source);
  return source;
}

const root = 'F0'.repeat(32);
const file = '0a'.repeat(32);

describe('entry names', () => {
  it.each([':', '_'])('are read with %s between the parts', (separator) => {
    expect(parseBlockName(`block_(-1,8000000000000000,42)${separator}${root}${separator}${file}`)).toEqual({
      workchain: -1,
      shard: 0x8000000000000000n,
      seqno: 42,
      rootHash: new Uint8Array(32).fill(0xf0),
      fileHash: new Uint8Array(32).fill(0x0a),
    });
  });

  it.each([
    `proof_(-1,8000000000000000,42):${root}:${file}`,
    `block_(-1,8000000000000000,42):${root}`,
    `block_(-1,800000000000000,42):${root}:${file}`,
    `block_(-1,8000000000000000,42):${root}:${file}0`,
    '',
  ])('of another form are none: %s', (name) => {
    expect(parseBlockName(name)).toBeNull();
  });
});

describe('a package', () => {
  const entries = [
    packEntry('one', new Uint8Array(3)),
    packEntry('two', new Uint8Array(20_000)),
    packEntry('', new Uint8Array(0)),
  ];
  const whole = Buffer.concat([PACK_MAGIC, ...entries]);
  const write = async (bytes: Uint8Array) => {
    const path = join(folder, 'x.pack');
    await writeFile(path, bytes);
    return path;
  };

  it('is listed without its data', async () => {
    const { entries: found, partial, size } = await scanPack(await write(whole));
    expect(found).toEqual([
      { name: 'one', offset: 4, dataOffset: 15, length: 3 },
      { name: 'two', offset: 18, dataOffset: 29, length: 20_000 },
      { name: '', offset: 20_029, dataOffset: 20_037, length: 0 },
    ]);
    expect([partial, size]).toEqual([null, whole.length]);
  });

  it('ends before an entry that is cut, wherever it is cut', async () => {
    for (const [length, count, name] of [
      [19, 1, null],
      [26, 1, null],
      [28, 1, null],
      [29, 1, 'two'],
      [20_028, 1, 'two'],
      [20_033, 2, null],
    ] as const) {
      const { entries: found, partial } = await scanPack(await write(whole.subarray(0, length)));
      expect([found.length, partial?.name]).toEqual([count, name]);
      expect(partial?.offset).toBe(count === 1 ? 18 : 20_029);
    }
  });

  it('must begin as one', async () => {
    await expect(scanPack(await write(new Uint8Array([1, 2, 3, 4, 5])))).rejects.toMatchObject({
      code: 'magic',
      offset: 0,
    });
    await expect(scanPack(await write(new Uint8Array()))).rejects.toMatchObject({ code: 'magic' });
  });

  it('has an entry where the one before ends', async () => {
    const broken = Buffer.from(whole);
    broken[18] = 0;
    await expect(scanPack(await write(broken))).rejects.toMatchObject({
      code: 'entry',
      offset: 18,
      file: join(folder, 'x.pack'),
    });
  });
});

describe('a folder of packages', () => {
  it('is put in groups by the numbers in the names', async () => {
    const names = [
      'a/archive.00100.pack',
      'a/archive.00100.0_8000000000000000.pack',
      'archive.00000.pack',
      'b/archive.00100.0:8000000000000000.pack',
      'archive.110000.pack',
      'other.pack',
      'globalindex/CURRENT',
    ];
    for (const name of names) {
      await mkdir(join(folder, name, '..'), { recursive: true });
      await writeFile(join(folder, name), PACK_MAGIC);
    }
    const { groups, loose, ignored, bytes } = await listPacks(folder);
    expect(groups.map(({ number, files }) => [number, files.length])).toEqual([
      [0, 1],
      [100, 3],
      [110000, 1],
    ]);
    expect(loose).toEqual([join(folder, 'other.pack')]);
    expect(ignored).toHaveLength(1);
    expect(bytes).toBe(24);
  });
});

describeWithData('packages of mainnet', (data) => {
  const MASTERCHAIN = 'mainnet-genesis.archive.00000.pack';
  const SHARDS = 'mainnet-genesis.archive.00000.0_8000000000000000.pack';
  const copy = async (name: string, change: (bytes: Buffer) => Uint8Array = (bytes) => bytes, as = name) =>
    writeFile(join(folder, as), change(await readFile(join(data, 'blocks/packs', name))));
  const open = () => openPacks(folder);

  it('give 99 steps and 299 blocks', async () => {
    const steps = await stepsOf(await openPacks(join(data, 'blocks/packs')));
    expect(steps).toHaveLength(99);
    expect(steps.flatMap(({ blocks }) => blocks)).toHaveLength(299);
  });

  it('end where the newest one is still being written, and say so', async () => {
    await copy(MASTERCHAIN, (bytes) => bytes.subarray(0, -100));
    await copy(SHARDS);
    const source = await open();
    expect(await stepsOf(source)).toHaveLength(98);
    expect((await source.describe()).ignored.join()).toContain('ends within the entry at byte');
  });

  it('end before a masterchain block whose shard block is still being written', async () => {
    await copy(MASTERCHAIN);
    await copy(SHARDS, (bytes) => bytes.subarray(0, -100));
    expect((await stepsOf(await open())).length).toBeLessThan(99);
  });

  it('are refused when an older one is cut', async () => {
    await copy(MASTERCHAIN, (bytes) => bytes.subarray(0, -100));
    await copy(SHARDS);
    await writeFile(join(folder, 'archive.00100.pack'), PACK_MAGIC);
    await expect(stepsOf(await open())).rejects.toMatchObject({
      name: 'PackError',
      code: 'truncated',
      file: join(folder, MASTERCHAIN),
    });
  });

  it('are refused when an entry holds other bytes than its name says', async () => {
    await copy(MASTERCHAIN);
    let offset = 0;
    await copy(SHARDS, (bytes) => {
      offset = bytes.indexOf('block_(0,8000000000000000,5)') - 8;
      bytes[offset + 500]! ^= 1;
      return bytes;
    });
    await expect(stepsOf(await open())).rejects.toMatchObject({
      code: 'hash',
      offset,
      file: join(folder, SHARDS),
    });
  });

  it('need no numbers in their names', async () => {
    await copy(MASTERCHAIN, undefined, 'm.pack');
    await copy(SHARDS, undefined, 's.pack');
    expect(await stepsOf(await open())).toHaveLength(99);
  });

  it('leave proofs out, and count them', async () => {
    const { ignored } = await (await openPacks(join(data, 'blocks/packs'))).describe();
    expect(ignored.toSorted()).toEqual([
      '200 entries of kind prooflink: not blocks',
      '99 entries of kind proof: not blocks',
    ]);
  });
});
