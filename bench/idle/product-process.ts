import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readServerState } from '../../src/platform/clickhouse/embedded/server-state.ts';
import { BenchError } from '../common/bench-error.ts';
import { readUsage } from '../common/process-usage.ts';
import { productArguments, productEnvironment } from '../common/product-arguments.ts';

/** CPU time that the process and its store take, percent of a core. */
export interface Load {
  readonly node: number;
  readonly store: number;
}

/** The product in a process of its own, which answers. */
export interface ProductProcess {
  /** `http://host:port/api/v3` */
  readonly api: string;
  /** The process and its store. */
  readonly pids: { readonly node: number; readonly store: number };
  /** Load over the time that `work` takes. */
  loadDuring(work: () => Promise<void>): Promise<Load>;
  stop(): Promise<void>;
}

const POLL_INTERVAL_MS = 20;
/** Masterchain blocks that are visible before a start counts as one. */
export const FIRST_BLOCKS = 3;
const MAX_TEXT = 2_000;

export interface StartOptions {
  /** Called for messages to the parent. */
  readonly onMessage?: (message: unknown) => void;
  /** Flags of Node in addition to those of bin/tonhouse. */
  readonly nodeFlags?: readonly string[];
}

/** Runs a script that opens the store of `data` and logs its address as JSON. Resolves when blocks are visible. */
export async function startProduct(
  [script, ...args]: readonly [string, ...string[]],
  data: string,
  { onMessage = () => {}, nodeFlags = [] }: StartOptions = {},
): Promise<ProductProcess> {
  const child = spawn(process.execPath, productArguments(args, script, nodeFlags), {
    env: productEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  child.on('message', onMessage);
  const url = await servedUrl(child);
  const api = `${url}/api/v3`;
  while ((await readHead(api)) < FIRST_BLOCKS) await sleep(POLL_INTERVAL_MS);
  const store = readServerState(join(data, 'clickhouse'))?.pid;
  const node = child.pid;
  if (node === undefined || store === undefined) throw new BenchError('a started process has no number');
  const pids = { node, store };
  return {
    api,
    pids,
    loadDuring: (work) => loadDuring(pids, work),
    stop: async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function servedUrl(child: ChildProcess): Promise<string> {
  let text = '';
  let url: string | undefined;
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (part: string) => {
      text = (text + part).slice(-MAX_TEXT);
      url ??= /"url":"(http:[^"]+)"/.exec(text)?.[1];
    });
  while (url === undefined) {
    if (child.exitCode !== null) throw new BenchError(`the process ended: ${text}`);
    await sleep(POLL_INTERVAL_MS);
  }
  return url;
}

/** Seqno of the newest visible masterchain block; 0 if there is none, or on an error: the caller polls again soon. */
export async function readHead(api: string): Promise<number> {
  const answer = await fetch(`${api}/masterchainInfo`);
  const info = (await answer.json()) as { last?: { seqno: number } };
  return info.last?.seqno ?? 0;
}

async function loadDuring(pids: Readonly<Record<keyof Load, number>>, work: () => Promise<void>) {
  const begun = performance.now();
  const before = { node: readCpu(pids.node), store: readCpu(pids.store) };
  await work();
  const seconds = (performance.now() - begun) / 1_000;
  const percent = (name: keyof Load) => ((readCpu(pids[name]) - before[name]) / seconds) * 100;
  return { node: percent('node'), store: percent('store') };
}

function readCpu(pid: number): number {
  const usage = readUsage(pid);
  if (!usage) throw new BenchError(`the CPU time of process ${pid} cannot be read (only Linux tells)`);
  return usage.cpu;
}
