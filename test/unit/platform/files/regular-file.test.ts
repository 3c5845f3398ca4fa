import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { FileTooLargeError, NotRegularFileError } from '../../../../src/platform/files/file-errors.ts';
import { RegularFile, readRegularFile, readSmallFile } from '../../../../src/platform/files/regular-file.ts';
import { readTextLines } from '../../../../src/platform/files/text-lines.ts';
import { makeFifo, makeSparse, makeSpecialFiles } from '../../../helpers/special-files.ts';

let folder: string;
beforeEach(() => {
  const made = mkdtempSync(join(tmpdir(), 'tonhouse-files-'));
  // The callbacks run in reverse: what a test itself has started ends before.
  onTestFinished(() => rmSync(made, { recursive: true }));
  folder = made;
});

const at = (name: string) => join(folder, name);
const LIMIT = { maxBytes: 1 << 20 };

describe.skipIf(process.platform === 'win32')('what is no regular file', () => {
  it('is refused by name and kind, by every reader', async () => {
    const { close } = await makeSpecialFiles(folder, '');
    onTestFinished(close);
    for (const [name, found] of [
      ['fifo', 'a FIFO'],
      ['to-fifo', 'a FIFO'],
      ['zero', 'a character device'],
      ['socket', 'a socket'],
      ['below/up', 'a folder'],
    ] as const) {
      const refused = { name: 'NotRegularFileError', path: at(name), found };
      await expect(readRegularFile(at(name), LIMIT), name).rejects.toMatchObject(refused);
      expect(() => readSmallFile(at(name), 1 << 20), name).toThrow(NotRegularFileError);
      const lines = readTextLines(at(name), { maxLength: 10 });
      await expect(lines.next(), name).rejects.toMatchObject(refused);
    }
    await expect(readRegularFile(at('dangling'), LIMIT)).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(readRegularFile(at('self'), LIMIT)).rejects.toMatchObject({ code: 'ELOOP' });
  });

  it('is refused too if it takes the place of a file between the look and the open', async () => {
    writeFileSync(at('file'), 'text');
    makeFifo(at('fifo'));
    symlinkSync(at('file'), at('path'));
    // A worker that never rests replaces the path all the time: of some thousand opens many fall in between.
    const swap = `const { renameSync, symlinkSync } = require('node:fs');
      for (let turn = 0; ; turn++) {
        symlinkSync(turn % 2 ? '${at('file')}' : '${at('fifo')}', '${at('next')}');
        renameSync('${at('next')}', '${at('path')}');
      }`;
    const worker = new Worker(swap, { eval: true });
    onTestFinished(async () => void (await worker.terminate()));
    await once(worker, 'online');
    for (let turn = 0; turn < 3_000; turn++) {
      const read = await readRegularFile(at('path'), LIMIT).catch((error: unknown) => error);
      if (read instanceof Error) expect(read).toBeInstanceOf(NotRegularFileError);
      else expect(Buffer.from(read as Uint8Array).toString()).toBe('text');
    }
  });
});

describe('a regular file', () => {
  it('is read through links', async () => {
    writeFileSync(at('file'), 'text');
    symlinkSync(at('file'), at('link'));
    symlinkSync(at('link'), at('again'));
    expect(Buffer.from(await readRegularFile(at('again'), LIMIT)).toString()).toBe('text');
    expect(readSmallFile(at('again'), 10).toString()).toBe('text');
  });

  it('beyond the limit is not read', async () => {
    makeSparse(at('huge'), 2 ** 40);
    await expect(readRegularFile(at('huge'), LIMIT)).rejects.toThrow(FileTooLargeError);
    expect(() => readSmallFile(at('huge'), 100)).toThrow(/huge has 1099511627776 bytes, 100 are allowed/);
  });

  it('that grows is read as long as it was, and one that shrinks as long as it is', async () => {
    writeFileSync(at('file'), 'a'.repeat(100_000));
    await using growing = await RegularFile.open(at('file'));
    appendFileSync(at('file'), 'b'.repeat(100_000));
    const pieces = await Array.fromAsync(growing.pieces());
    expect(Buffer.concat(pieces).toString()).toBe('a'.repeat(100_000));
    truncateSync(at('file'), 70_000);
    expect(Buffer.concat(await Array.fromAsync(growing.pieces()))).toHaveLength(70_000);
    expect(await growing.read(60_000, 100_000)).toHaveLength(10_000);
  });

  it('that is deleted while it is open is read on', async () => {
    writeFileSync(at('file'), 'text');
    await using file = await RegularFile.open(at('file'));
    rmSync(at('file'));
    expect(Buffer.from(await file.read(0, 10)).toString()).toBe('text');
  });

  it('is read until a stop, which ends with the reason of the signal', async () => {
    makeSparse(at('huge'), 2 ** 33);
    const stop = new AbortController();
    await using file = await RegularFile.open(at('huge'), stop.signal);
    let bytes = 0;
    const reading = (async () => {
      for await (const piece of file.pieces()) {
        bytes += piece.length;
        if (bytes > 1 << 20) stop.abort();
      }
    })();
    const error = await reading.catch((found: unknown) => found);
    expect(error).toBe(stop.signal.reason);
    await expect(RegularFile.open(at('huge'), stop.signal)).rejects.toBe(stop.signal.reason);
  });
});

it('lines of a text may be cut anywhere, and are limited in length', async () => {
  const text = `ä${'x'.repeat(70_000)}\r\n\nlast`;
  writeFileSync(at('text'), text);
  const read = (maxLength: number) => Array.fromAsync(readTextLines(at('text'), { maxLength }));
  expect(await read(100_000)).toEqual([`ä${'x'.repeat(70_000)}`, '', 'last']);
  await expect(read(1_000)).rejects.toThrow(/text, line 1: longer than 1000 characters/);
  makeSparse(at('zeros'), 2 ** 40);
  await expect(readTextLines(at('zeros'), { maxLength: 1_000 }).next()).rejects.toThrow(/line 1: longer/);
});
