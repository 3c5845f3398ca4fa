import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** Makes a FIFO. No process writes to it: who opens it in the usual way waits for ever. */
export function makeFifo(path: string): void {
  const { status, stderr } = spawnSync('mkfifo', [path], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`mkfifo ${path}: ${stderr}`);
}

/** Makes a file of zeros that takes no space on the disk. */
export function makeSparse(path: string, bytes: number, beginning: Uint8Array = new Uint8Array()): void {
  writeFileSync(path, beginning);
  truncateSync(path, bytes);
}

/** Begins of a bag of cells: `serialized_boc` of crypto/tl/boc.tlb. */
export const BAG_MAGIC = new Uint8Array([0xb5, 0xee, 0x9c, 0x72]);

/**
 * Puts everything into a folder that is no file to read: what each is, by its name in the folder. Endings are those that
 * sources look for.
 */
export async function makeSpecialFiles(
  folder: string,
  ending: string,
): Promise<{ readonly reasons: Record<string, string>; close(): Promise<void> }> {
  const at = (name: string) => join(folder, name);
  makeFifo(at(`fifo${ending}`));
  symlinkSync(at(`fifo${ending}`), at(`to-fifo${ending}`));
  symlinkSync('/dev/zero', at(`zero${ending}`));
  symlinkSync(at('nowhere'), at(`dangling${ending}`));
  symlinkSync(at(`self${ending}`), at(`self${ending}`));
  mkdirSync(at('below'));
  symlinkSync(folder, at('below/up'));
  symlinkSync('/', at('root'));
  const socket = createServer().listen(at(`socket${ending}`));
  await new Promise((resolve) => socket.once('listening', resolve));
  return {
    reasons: {
      [`fifo${ending}`]: 'a FIFO',
      [`to-fifo${ending}`]: 'a link to a FIFO',
      [`zero${ending}`]: 'a link to a character device',
      [`dangling${ending}`]: 'a link to nothing',
      [`self${ending}`]: 'a link in a loop of links',
      'below/up': 'a link to a folder',
      root: 'a link to a folder',
      [`socket${ending}`]: 'a socket',
    },
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}
