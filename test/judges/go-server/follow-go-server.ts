/**
 * Judge: the server of tonutils-go 1.12.0 with real blocks and signatures of mainnet, followed by this project's client.
 * As a program it prints one verdict as JSON.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { openArchive } from '../../../src/capture/archive/archive-source.ts';
import { blockIdText, sameBytes } from '../../../src/capture/block-id.ts';
import { BlockFetcher } from '../../../src/capture/liteserver/block-fetcher.ts';
import { type GlobalConfig, parseGlobalConfig } from '../../../src/capture/liteserver/global-config.ts';
import { KnownKeyBlock } from '../../../src/capture/liteserver/known-key-block.ts';
import { openLiteServer } from '../../../src/capture/liteserver/liteserver-source.ts';
import { MasterchainBlocks } from '../../../src/capture/liteserver/masterchain-blocks.ts';
import { MasterchainIds } from '../../../src/capture/liteserver/masterchain-ids.ts';
import { ServerPool } from '../../../src/capture/liteserver/server-pool.ts';
import { SignatureTrust } from '../../../src/capture/liteserver/signature-trust.ts';
import type { SourceBlock } from '../../../src/capture/source.ts';

const PACKAGE = 'github.com/xssnick/tonutils-go';
const KEY_FOLDER = 'blocks/mainnet-mc-3082181';
/** Time in which a lie would have been accepted. */
const LIE_MS = 3_000;

export interface GoVerdict {
  readonly judge: string;
  readonly version: string;
  readonly requests: number;
  /** Blocks that equal the ones in the packs, and masterchain blocks proven from the key block. */
  readonly accepted: number;
  readonly differences: number;
  readonly refused_lies: number;
}

interface GoServer {
  readonly config: GlobalConfig;
  /** Stops it. @returns the number of requests */
  stop(): Promise<number>;
}

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Builds the server with the Go of this machine, and follows it: 299 blocks from the zerostate, and the blocks after a
 * key block. Then it must refuse a block with a turned bit and a turned signature.
 * @param data folder of the shared data
 * @throws an error if Go or the package is not there
 */
export async function judgeGoServer(data: string): Promise<GoVerdict> {
  const folder = mkdtempSync(join(tmpdir(), 'judge-go-'));
  try {
    const program = await build(folder);
    const start = (more: readonly string[]) => startServer(program, ['-data', data, ...more]);
    const genesis = await start([]);
    const { accepted, differences } = await compareGenesis(genesis.config, data, folder);
    let requests = await genesis.stop();
    const keyed = await start(['-folder', join(data, KEY_FOLDER)]);
    const proven = await provenAfterKeyBlock(keyed.config, folder);
    requests += await keyed.stop();
    let refused = 0;
    for (const fault of ['hash', 'signature']) {
      const liar = await start(['-folder', join(data, KEY_FOLDER), '-fault', fault]);
      if (await isRefused(liar.config, folder)) refused++;
      requests += await liar.stop();
    }
    return {
      judge: 'server of tonutils-go, followed by the client',
      version: '1.12.0',
      requests,
      accepted: accepted + proven,
      differences,
      refused_lies: refused,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function build(folder: string): Promise<string> {
  for (const name of ['main.go', 'go.mod', 'go.sum'])
    cpSync(join(import.meta.dirname, name), join(folder, name));
  await promisify(execFile)('go', ['build', '-o', 'server', '.'], { cwd: folder });
  return join(folder, 'server');
}

async function startServer(program: string, options: readonly string[]): Promise<GoServer> {
  const port = await freePort();
  const child = spawn(program, ['-port', String(port), ...options], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value: line, done } = await lines.next();
  if (done) throw new Error(`the server of ${PACKAGE} did not start`);
  const stop = async () => {
    child.stdin.end();
    const { value } = await lines.next();
    await exited(child);
    return Number(value);
  };
  return { config: parseGlobalConfig(line, 'of the server'), stop };
}

async function exited(child: ChildProcess): Promise<void> {
  if (child.exitCode === null) await once(child, 'exit');
}

async function compareGenesis(config: GlobalConfig, data: string, folder: string) {
  const archive = await openArchive(join(data, 'blocks/packs'), []);
  const source = openLiteServer({
    config,
    trust: 'signatures',
    trustedBlock: null,
    from: { kind: 'seqno', seqno: 1 },
    directory: folder,
    log: quiet,
  });
  const steps = source.steps(null, new AbortController().signal)[Symbol.asyncIterator]();
  let accepted = 0;
  let differences = 0;
  for await (const expected of archive.steps(null, new AbortController().signal)) {
    const { value: step } = await steps.next();
    const pairs = expected.blocks.map((block, index) => [block, step?.blocks[index]] as const);
    for (const [block, found] of pairs) {
      if (found && sameBytes(found.boc, block.boc)) accepted++;
      else differences++;
    }
    differences += Math.max(0, (step?.blocks.length ?? 0) - expected.blocks.length);
  }
  await steps.return?.();
  await Promise.all([source.close(), archive.close()]);
  return { accepted, differences };
}

/** Reads masterchain blocks by signatures from the configuration's key block on. */
async function* masterchainAfter(config: GlobalConfig, folder: string, signal: AbortSignal) {
  const pool = new ServerPool({ servers: config.servers, zerostate: config.zerostate, log: quiet });
  const trust = new SignatureTrust(
    pool,
    new KnownKeyBlock(mkdtempSync(join(folder, 'key-')), config.initBlock),
  );
  const blocks = new BlockFetcher(pool, 1 << 24, signal);
  try {
    const chain = new MasterchainBlocks({
      pool,
      trust,
      blocks,
      signal,
      ids: new MasterchainIds(pool, signal),
    });
    yield* chain.after(config.initBlock);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await pool.close();
  }
}

async function provenAfterKeyBlock(config: GlobalConfig, folder: string): Promise<number> {
  const stop = new AbortController();
  let proven = 0;
  const [from, to] = [config.initBlock.seqno, config.initBlock.seqno + 20];
  for await (const { id } of masterchainAfter(config, folder, stop.signal)) {
    if (id.seqno !== from + ++proven) throw new Error(`${blockIdText(id)} came after ${from + proven - 1}`);
    if (id.seqno === to) stop.abort();
  }
  return proven;
}

/** True if the client took nothing from a server that lies. */
async function isRefused(config: GlobalConfig, folder: string): Promise<boolean> {
  const taken: SourceBlock[] = [];
  const signal = AbortSignal.timeout(LIE_MS);
  for await (const block of masterchainAfter(config, folder, signal)) taken.push(block);
  return taken.length === 0;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

if (process.argv[1] && resolve(process.argv[1]) === resolve(import.meta.filename)) {
  const data = process.argv[2] ?? resolve(import.meta.dirname, '../../../../shared/data');
  process.stdout.write(`${JSON.stringify(await judgeGoServer(data))}\n`);
}
