import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BAG_MAGIC, makeFifo, makeSparse, makeSpecialFiles } from '../../../helpers/special-files.ts';
import { residentMegabytes } from '../../common/resident-memory.ts';
import { StageProcess } from '../../common/stage-process.ts';
import type { Attack, AttackContext } from '../attack.ts';

/** A command that only lists and refuses takes seconds; one that waits for a FIFO would take for ever. */
const MAX_MS = 60_000;
const POLL_MS = 100;
/** Memory of a command that reads nothing large. The link to a device once took 13 GB. */
const MAX_MB = 700;
const USAGE = 2;
const FAILED = 1;
const STOPPED = 130;

/** Folders and paths for the operator's commands whose files are FIFOs, devices, sockets, loops, or larger than the memory. */
export const specialFiles: Attack = {
  name: 'special files',
  holds:
    'commands name and skip what is no regular file, or refuse it, hold little memory and end at a stop signal',
  async run(context) {
    const folder = mkdtempSync(join(tmpdir(), 'tonhouse-abuse-files-'));
    try {
      await skipInFolders(context, folder);
      await refusePaths(context, folder);
      await stopReading(context, folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

async function skipInFolders({ must, server }: AttackContext, folder: string): Promise<void> {
  for (const [kind, ending] of [
    ['archive', '.pack'],
    ['files', '.boc'],
  ] as const) {
    const path = join(folder, kind);
    mkdirSync(path);
    const special = await makeSpecialFiles(path, ending);
    makeSparse(join(path, 'zeros.bin'), 2 ** 40);
    const run = await runBounded(
      ['capture', `${kind}:${path}`, '--data', join(folder, `${kind}-data`)],
      folder,
    );
    must(run.code === FAILED && run.words.includes('EmptySourceError'), `${kind}: ${run.end}`);
    must(run.peakMb < MAX_MB, `${kind}: ${run.peakMb} MB`);
    for (const [name, reason] of Object.entries(special.reasons))
      must(
        run.words.includes(`${join(path, name)}`) && run.words.includes(reason),
        `${kind}: ${name} is not named`,
      );
    await special.close();
  }
  const from = join(folder, 'files');
  const { code } = await server.runCommand(['cells', '--from', from]);
  must(code === 0, `cells --from ended with ${code}`);
}

async function refusePaths({ must, server, accounts }: AttackContext, folder: string): Promise<void> {
  const fifo = join(folder, 'fifo');
  makeFifo(fifo);
  const data = ['--data', join(folder, 'data')];
  for (const args of [
    ['capture', `archive:${fifo}`, ...data],
    ['capture', 'files:/dev/zero', ...data],
    ['capture', `files:${folder}`, '--state', fifo, ...data],
    ['up', '--source', `archive:${fifo}`, '--port', '0', ...data],
  ]) {
    const run = await runBounded(args, folder);
    must(run.code === USAGE && /a (FIFO|character device)/.test(run.words), `${args.join(' ')}: ${run.end}`);
  }
  const amounts = ['metadata', 'mintless', 'set', accounts.wallet, '--amounts', fifo];
  must((await server.runCommand(amounts)).code === USAGE, '--amounts took a FIFO');
}

async function stopReading({ must }: AttackContext, folder: string): Promise<void> {
  const path = join(folder, 'large');
  mkdirSync(path);
  for (let at = 0; at < 4; at++) makeSparse(join(path, `${at}.boc`), 2 ** 30, BAG_MAGIC);
  const args = ['capture', `files:${path}`, '--isolated', '--data', join(folder, 'large-data')];
  const run = await runBounded(args, folder, 200);
  must([FAILED, STOPPED].includes(run.code ?? -1), `a read that was stopped: ${run.end}`);
}

/** Runs a command to its end, or kills it after MAX_MS. `stopMb`: its memory at which it is asked to stop. */
async function runBounded(args: readonly string[], folder: string, stopMb = Number.POSITIVE_INFINITY) {
  const process = new StageProcess(args, {}, join(folder, 'command.log'));
  let peakMb = 0;
  let isAsked = false;
  const deadline = Date.now() + MAX_MS;
  while (!process.gone && Date.now() < deadline) {
    peakMb = Math.max(peakMb, residentMegabytes(process.pid) ?? 0);
    // Once: after the orderly end nothing takes a further signal.
    if (peakMb > stopMb && !isAsked) isAsked = process.signal('SIGTERM');
    await Promise.race([process.exited, sleep(POLL_MS)]);
  }
  process.signal('SIGKILL');
  const { code, signal } = await process.exited;
  const end = `ended with ${code ?? signal}: ${process.words.slice(-300)}`;
  return { code, words: process.words, peakMb, end };
}
