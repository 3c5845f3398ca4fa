/**
 * A chain whose journal has no room for one step (a limit on the size of files, by `prlimit`) and then has some again:
 * `node full-disk-child.ts DIRECTORY` prints the result as JSON.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Engine } from '../../../src/localnet/engine/engine.ts';
import { engineOptions } from './engine-test-options.ts';

const [directory = ''] = process.argv.slice(2);
const journal = join(directory, 'journal-0.bin');
const most = (bytes: string) => execFileSync('prlimit', ['--pid', `${process.pid}`, `--fsize=${bytes}:`]);
const open = () => Engine.open(engineOptions(directory));

// Without a listener the process would die of it.
process.on('SIGXFSZ', () => {});
const engine = await open();
await engine.resume(null);
const seqnos = [await engine.step(), await engine.step()].map(({ mcSeqno }) => mcSeqno);
engine.fund({ workchain: 0, address: new Uint8Array(32).fill(5) }, 1_000_000_000n, 'kept');
engine.warp(1_000);
const before = readFileSync(journal).length;
most(`${before + 100}`);
const errors: string[] = [];
for (let i = 0; i < 2; i++) {
  try {
    await engine.step();
  } catch (error) {
    errors.push((error as NodeJS.ErrnoException).code ?? String(error));
  }
}
const left = readFileSync(journal).length - before;
const { mcSeqno: stood, pending } = engine.status();
most('unlimited');
const steps = [await engine.step(), await engine.step()];
seqnos.push(...steps.map(({ mcSeqno }) => mcSeqno));
const last = steps.at(-1)!.blocks.at(-1)!;
const { pending: after, utime } = engine.status();
await engine.close();
const again = await open();
await again.resume({ mcSeqno: last.id.seqno, rootHash: last.id.rootHash });
seqnos.push((await again.step()).mcSeqno);
await again.close();
process.stdout.write(JSON.stringify({ seqnos, errors, left, stood, pending, after, utime }));
