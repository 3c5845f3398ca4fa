/**
 * `npm run bench:decode`: how much CPU time a block costs, by @ton/core, by the TypeScript reader and by the kernel, one
 * after the other in every repeat; medians. What all of them say of transactions and messages is compared first.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { Cell, loadTransaction, type Message, type Slice, type Transaction } from '@ton/core';
import { encodeNativeBlock } from '../src/platform/clickhouse/native-format.ts';
import { BaseColumns } from '../src/ton/columns/base-columns.ts';
import { readBlockHeader } from '../src/ton/decode/block-header.ts';
import type { BlockMeta } from '../src/ton/decode/block-meta.ts';
import {
  BlockError,
  type DecodeOptions,
  decodeBlock,
  type VerifyLevel,
} from '../src/ton/decode/decode-block.ts';
import { Kernel } from '../src/ton/kernel/kernel.ts';
import { BenchError } from './common/bench-error.ts';
import { note, printTable } from './common/report.ts';

const HELP = `bench:decode: CPU time of decoding blocks, against @ton/core in the same run
  --blocks DIR           folder of block BoCs (.boc), searched with its subfolders
                         (default ../shared/data/blocks)
  --repeat N             interleaved repeats, of which the median counts (default 7)
  --min-transactions N   leave out blocks with fewer (default 0)
  --since YEAR           leave out blocks that are older (default: none)
  --match TEXT           only files whose path below DIR contains it
  --json                 one JSON object instead of a table
`;

interface Job {
  readonly bytes: Uint8Array;
  readonly meta: BlockMeta;
}

interface Options {
  readonly blocks: string;
  readonly repeat: number;
  readonly minTransactions: number;
  readonly since: number;
  readonly match: string;
  readonly json: boolean;
}

/** Decodes all jobs once. */
type Method = () => void | Promise<void>;

const PROJECT = fileURLToPath(new URL('../', import.meta.url));
/** Blocks are moved out of the kernel when so many bytes of them have been decoded. */
const BATCH_BYTES = 1 << 20;

const optionsOf = (verify: VerifyLevel): DecodeOptions => ({ verify, oldStatesBelowLt: 0n });

function readOptions(): Options | null {
  const { values } = parseArgs({
    options: {
      blocks: { type: 'string', default: join(PROJECT, '../shared/data/blocks') },
      repeat: { type: 'string', default: '7' },
      'min-transactions': { type: 'string', default: '0' },
      since: { type: 'string', default: '0' },
      match: { type: 'string', default: '' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const count = (name: string, text: string): number => {
    if (/^\d+$/.test(text)) return Number(text);
    throw new BenchError(`--${name} ${text}: a whole number expected`);
  };
  return {
    blocks: resolve(values.blocks),
    repeat: Math.max(1, count('repeat', values.repeat)),
    minTransactions: count('min-transactions', values['min-transactions']),
    since: count('since', values.since),
    match: values.match,
    json: values.json,
  };
}

/** The folder's blocks; what is no block (states, proofs) is left out, and said. */
function readJobs(options: Options, kernel: Kernel): { jobs: Job[]; transactions: number } {
  const oldest = options.since === 0 ? 0 : Date.UTC(options.since) / 1000;
  const jobs: Job[] = [];
  let transactions = 0;
  let others = 0;
  for (const name of readdirSync(options.blocks, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(options.blocks, name);
    if (!name.endsWith('.boc') || !name.includes(options.match) || !statSync(path).isFile()) continue;
    const bytes = new Uint8Array(readFileSync(path));
    try {
      const { workchain, shard, seqno, rootHash, fileHash, masterRef, genUtime } = readBlockHeader(bytes);
      const meta = { workchain, shard, seqno, rootHash, fileHash, mcSeqno: masterRef?.seqno ?? seqno };
      const counts = kernel.add(bytes, meta, optionsOf('none'));
      kernel.discard();
      if (genUtime < oldest || counts.transactions < options.minTransactions) continue;
      transactions += counts.transactions;
      jobs.push({ bytes, meta });
    } catch (error) {
      if (!(error instanceof BlockError)) throw error;
      others++;
    }
  }
  if (others > 0) note(`${others} files are no blocks`);
  if (jobs.length === 0) throw new BenchError(`no blocks in ${options.blocks}`);
  return { jobs, transactions };
}

function skipLabel(slice: Slice, max: number): number {
  const width = 32 - Math.clz32(max);
  if (!slice.loadBit()) {
    let length = 0;
    while (slice.loadBit()) length++;
    slice.skip(length);
    return length;
  }
  const isSame = slice.loadBit();
  if (isSame) slice.skip(1);
  const length = slice.loadUint(width);
  if (!isSame) slice.skip(length);
  return length;
}

function visitLeaves(slice: Slice, keyBits: number, isAug: boolean, visit: (leaf: Slice) => void): void {
  const rest = keyBits - skipLabel(slice, keyBits);
  if (rest > 0) {
    const [left, right] = [slice.loadRef(), slice.loadRef()];
    visitLeaves(left.beginParse(), rest - 1, isAug, visit);
    visitLeaves(right.beginParse(), rest - 1, isAug, visit);
    return;
  }
  if (isAug) {
    slice.loadCoins();
    slice.loadMaybeRef();
  }
  visit(slice);
}

interface CoreTransaction {
  readonly cell: Cell;
  readonly transaction: Transaction;
  readonly messages: { readonly hash: Buffer; readonly bodyHash: Buffer; readonly message: Message }[];
}

/** What a program with @ton/core does: parse, walk, load every transaction, take the hashes. */
function byCore(bytes: Uint8Array, visit: (transaction: CoreTransaction) => void): void {
  const root = Cell.fromBoc(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))[0] as Cell;
  const accounts = (root.refs[3] as Cell).refs[2] as Cell;
  const edge = accounts.beginParse().loadMaybeRef();
  if (!edge) return;
  visitLeaves(edge.beginParse(), 256, true, (account) => {
    account.skip(4 + 256);
    visitLeaves(account, 64, true, (leaf) => visit(loadByCore(leaf.loadRef())));
  });
}

function loadByCore(cell: Cell): CoreTransaction {
  const transaction = loadTransaction(cell.beginParse());
  cell.hash();
  const refs = (cell.refs[0] as Cell).beginParse();
  const inCell = refs.loadMaybeRef();
  const outRoot = refs.loadMaybeRef();
  const messages: CoreTransaction['messages'] = [];
  const add = (of: Cell, message: Message) =>
    messages.push({ hash: of.hash(), bodyHash: message.body.hash(), message });
  if (inCell) add(inCell, transaction.inMessage as Message);
  if (outRoot) {
    const out = transaction.outMessages.values();
    let index = 0;
    visitLeaves(outRoot.beginParse(), 15, false, (leaf) => add(leaf.loadRef(), out[index++] as Message));
  }
  return { cell, transaction, messages };
}

/** As JSON takes it: numbers as text, bytes and cells in hex. */
function plain(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Cell) return value.toBoc({ idx: false, crc32: true }).toString('hex');
  return value;
}

function jsonOf({ cell, transaction, messages }: CoreTransaction): string {
  const { raw, inMessage, outMessages, ...fields } = transaction;
  const lines = messages.map(({ hash, bodyHash, message }) =>
    JSON.stringify({ hash: hash.toString('hex'), body_hash: bodyHash.toString('hex'), ...message }, plain),
  );
  const { stateUpdate, ...rest } = fields;
  const hashes = { hash: cell.hash().toString('hex'), state_before: stateUpdate.oldHash.toString('hex') };
  return `${JSON.stringify({ ...hashes, state_after: stateUpdate.newHash.toString('hex'), ...rest }, plain)}\n${lines.join('\n')}\n`;
}

/** Hash and lt of every transaction, hashes of every message and body, in the order of the block. */
function digestByCore(jobs: readonly Job[]): string {
  const [hashes, lts, messages, bodies] = [[], [], [], []] as Buffer[][] as [
    Buffer[],
    Buffer[],
    Buffer[],
    Buffer[],
  ];
  for (const { bytes } of jobs) {
    byCore(bytes, ({ cell, transaction, messages: own }) => {
      const lt = Buffer.alloc(8);
      lt.writeBigUInt64LE(transaction.lt);
      hashes.push(cell.hash());
      lts.push(lt);
      messages.push(...own.map(({ hash }) => hash));
      bodies.push(...own.map(({ bodyHash }) => bodyHash));
    });
  }
  return digest([...hashes, ...lts, ...messages, ...bodies]);
}

function digestOfColumns({ tables }: BaseColumns): string {
  const { transactions, messages } = tables;
  const columns = [transactions.col.hash, transactions.col.lt, messages.col.hash, messages.col.body_hash];
  return digest(columns.flatMap((column) => column.parts()));
}

function digestOfAll({ tables }: BaseColumns): string {
  return digest(Object.values(tables).flatMap(({ columns }) => columns.flatMap((column) => column.parts())));
}

function digest(parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

function byReader(jobs: readonly Job[], columns: BaseColumns, verify: VerifyLevel): void {
  for (const { bytes, meta } of jobs) decodeBlock(bytes, meta, columns, optionsOf(verify));
}

function byKernel(kernel: Kernel, jobs: readonly Job[], columns: BaseColumns, verify: VerifyLevel): void {
  let size = 0;
  for (const { bytes, meta } of jobs) {
    kernel.add(bytes, meta, optionsOf(verify));
    size += bytes.length;
    if (size < BATCH_BYTES) continue;
    kernel.drainInto(columns);
    size = 0;
  }
  kernel.drainInto(columns);
}

/** One buffer for all Native bytes, as a program would keep one. */
class NativeOutput {
  private bytes = new Uint8Array(1 << 20);
  length = 0;

  write(columns: BaseColumns): void {
    this.length = 0;
    for (const table of Object.values(columns.tables)) {
      if (table.rows === 0) continue;
      for (const part of encodeNativeBlock(table)) this.append(part);
    }
  }

  private append(part: Uint8Array): void {
    const end = this.length + part.length;
    if (end > this.bytes.length) {
      const larger = new Uint8Array(end * 2);
      larger.set(this.bytes.subarray(0, this.length));
      this.bytes = larger;
    }
    this.bytes.set(part, this.length);
    this.length = end;
  }
}

/** Everything that the methods give is the same; the reader's and the kernel's columns to the last byte. */
function digestsEqual(jobs: readonly Job[], kernel: Kernel): boolean {
  const reader = new BaseColumns();
  byReader(jobs, reader, 'tx');
  const levels: VerifyLevel[] = ['tx', 'root'];
  const sameColumns = levels.every((verify) => {
    const columns = new BaseColumns();
    byKernel(kernel, jobs, columns, verify);
    return digestOfAll(columns) === digestOfAll(reader);
  });
  return sameColumns && digestOfColumns(reader) === digestByCore(jobs);
}

/** Jobs in two halves of about the same size. */
function halves(jobs: readonly Job[]): [Job[], Job[]] {
  const split: [Job[], Job[]] = [[], []];
  const sizes: [number, number] = [0, 0];
  for (const job of [...jobs].sort((a, b) => b.bytes.length - a.bytes.length)) {
    const least = sizes[0] <= sizes[1] ? 0 : 1;
    split[least].push(job);
    sizes[least] += job.bytes.length;
  }
  return split;
}

/** A thread with a kernel and jobs of its own, which it decodes once at each call. */
class KernelThread {
  private readonly worker = new Worker(fileURLToPath(import.meta.url));

  private ask(message: unknown): Promise<void> {
    return new Promise((done, fail) => {
      this.worker.once('message', () => {
        this.worker.off('error', fail);
        done();
      });
      this.worker.once('error', fail);
      this.worker.postMessage(message);
    });
  }

  give(jobs: readonly Job[]): Promise<void> {
    return this.ask(jobs);
  }

  decode(rounds: number): Promise<void> {
    return this.ask(rounds);
  }

  async stop(): Promise<void> {
    await this.worker.terminate();
  }
}

async function serveThread(): Promise<void> {
  const kernel = await Kernel.load();
  const columns = new BaseColumns();
  let jobs: readonly Job[] = [];
  parentPort?.on('message', (message: readonly Job[] | number) => {
    if (typeof message !== 'number') jobs = message;
    for (let round = 0; typeof message === 'number' && round < message; round++) {
      columns.reset();
      byKernel(kernel, jobs, columns, 'tx');
    }
    parentPort?.postMessage('done');
  });
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] as number;

/** Medians of CPU time and of time passed, by method, milliseconds for one round over all jobs. */
interface Times {
  readonly cpu: number;
  readonly wall: number;
}

/** The fast methods run several rounds, so that every measurement is long against the clock's grain. */
async function measure(methods: Map<string, [Method, rounds: number]>, repeat: number) {
  const found = new Map<string, { cpu: number[]; wall: number[] }>();
  for (let i = -1; i < repeat; i++) {
    for (const [name, [method, rounds]] of methods) {
      const [cpu, wall] = [cpuMs(), performance.now()];
      for (let round = 0; round < rounds; round++) await method();
      const times = found.get(name) ?? { cpu: [], wall: [] };
      found.set(name, times);
      // The first repeat is for warming up.
      if (i < 0) continue;
      times.cpu.push((cpuMs() - cpu) / rounds);
      times.wall.push((performance.now() - wall) / rounds);
    }
    note(`${i + 1} of ${repeat} repeats`);
  }
  return new Map(
    [...found].map(([name, { cpu, wall }]): [string, Times] => [
      name,
      { cpu: median(cpu), wall: median(wall) },
    ]),
  );
}

const ROUNDS = 20;

async function run(options: Options): Promise<void> {
  const kernel = await Kernel.load();
  const { jobs, transactions } = readJobs(options, kernel);
  const bytes = jobs.reduce((sum, job) => sum + job.bytes.length, 0);
  note(`${jobs.length} blocks, ${bytes} bytes, ${transactions} transactions`);
  const equal = digestsEqual(jobs, kernel);
  const columns = new BaseColumns();
  const native = new NativeOutput();
  const fresh =
    (work: () => void): Method =>
    () => {
      columns.reset();
      work();
    };
  const [one, ...pair] = [new KernelThread(), new KernelThread(), new KernelThread()] as const;
  try {
    await one.give(jobs);
    for (const [i, half] of halves(jobs).entries()) await (pair[i] as KernelThread).give(half);
    const core = (visit: (found: CoreTransaction) => void) => () => {
      for (const job of jobs) byCore(job.bytes, visit);
    };
    const toNative = () => {
      byKernel(kernel, jobs, columns, 'tx');
      native.write(columns);
    };
    const bothWorkers = async () => {
      await Promise.all(pair.map((thread) => thread.decode(ROUNDS)));
    };
    const methods = new Map<string, [Method, number]>([
      ['ton-core', [core(() => {}), 1]],
      ['reader-tx', [fresh(() => byReader(jobs, columns, 'tx')), 1]],
      ['kernel-tx', [fresh(() => byKernel(kernel, jobs, columns, 'tx')), ROUNDS]],
      ['kernel-root', [fresh(() => byKernel(kernel, jobs, columns, 'root')), ROUNDS]],
      ['ton-core-json', [core((found) => void jsonOf(found)), 1]],
      ['kernel-native', [fresh(toNative), ROUNDS]],
      ['kernel-1-worker', [() => one.decode(ROUNDS), 1]],
      ['kernel-2-workers', [bothWorkers, 1]],
    ]);
    const times = await measure(methods, options.repeat);
    report(options, answerOf(times, { blocks: jobs.length, bytes, transactions, equal }));
  } finally {
    await Promise.all([one, ...pair].map((thread) => thread.stop()));
  }
}

interface Corpus {
  readonly blocks: number;
  readonly bytes: number;
  readonly transactions: number;
  readonly equal: boolean;
}

function answerOf(times: Map<string, Times>, { blocks, bytes, transactions, equal }: Corpus) {
  const time = (name: string): Times => times.get(name) as Times;
  const oneWorker = time('kernel-1-worker');
  const methods = [...times]
    .filter(([name]) => name !== 'kernel-1-worker')
    .map(([name, { cpu, wall }]) => {
      const threaded = name === 'kernel-2-workers';
      const writes = name === 'kernel-native' || name === 'ton-core-json';
      const base = time(writes ? 'ton-core-json' : 'ton-core').cpu;
      // Workers are worth the time that passes: theirs is one worker's over two workers'.
      const [ms, ratio] = threaded ? [wall / ROUNDS, oneWorker.wall / wall] : [cpu, base / cpu];
      return {
        name,
        cpu_ms: threaded ? cpu / ROUNDS : cpu,
        tx_per_s: (transactions / ms) * 1000,
        mb_per_s: bytes / ms / 1000,
        ratio,
      };
    });
  return { node: process.version, blocks, bytes, transactions, digests_equal: equal, methods };
}

function report(options: Options, answer: ReturnType<typeof answerOf>): void {
  const { node, blocks, bytes, transactions, digests_equal, methods } = answer;
  if (options.json) {
    process.stdout.write(`${JSON.stringify(answer)}\n`);
    return;
  }
  printTable(
    `Node ${node}; ${blocks} blocks, ${bytes} bytes, ${transactions} transactions; all outputs equal: ${digests_equal}`,
    ['method', 'cpu ms', 'tx/s', 'MB/s', 'ratio'],
    methods.map((m) => [
      m.name,
      m.cpu_ms.toFixed(2),
      Math.round(m.tx_per_s),
      m.mb_per_s.toFixed(1),
      m.ratio.toFixed(2),
    ]),
  );
  process.stdout.write(
    'ratio: to ton-core; ton-core-json for kernel-native; one worker for kernel-2-workers (time passed)\n',
  );
}

if (isMainThread) {
  try {
    const options = readOptions();
    if (options) await run(options);
    else process.stdout.write(HELP);
  } catch (error) {
    if (!(error instanceof BenchError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
} else {
  await serveThread();
}
