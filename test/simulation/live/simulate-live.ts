import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { blockIdText, sameBytes } from '../../../src/capture/block-id.ts';
import { openLiteServer } from '../../../src/capture/liteserver/liteserver-source.ts';
import type { Step } from '../../../src/capture/source.ts';
import { LiteBlocks } from '../../helpers/lite-blocks.ts';
import { makeLocalBlocks } from '../../helpers/local-blocks.ts';
import { SeededRandom } from '../../helpers/seeded-random.ts';
import { type Fault, type Phase, planPhase } from './fault-plan.ts';
import { FaultyServer } from './faulty-server.ts';

export interface LiveOptions {
  readonly seed: number;
  readonly minutes: number;
  readonly onPhase: (note: string) => void;
  readonly onDifference: (text: string) => void;
}

export interface LiveResult {
  readonly faults: number;
  readonly steps: number;
  readonly differences: number;
  /** Longest time from the moment when a block existed to its complete step, while a server was good; milliseconds. */
  readonly longestMs: number;
  readonly longestIn: string;
  /** Steps that took longer than two seconds. */
  readonly stops: number;
}

const SERVERS = 4;
const STEP_MS = 400;
/** Every tenth block or so is a key block. */
const SECONDS_PER_STEP = 7_000;
const PHASE_MS = 4_000;
const LONG_PHASES: ReadonlyMap<Fault, number> = new Map([
  ['silent for 10 s', 10_000],
  ['shard blocks missing for 15 s', 15_000],
]);
const OUTAGE_MS = 60_000;
const MAX_STOP_MS = 2_000;
/** Time after an outage in which the source connects again and catches up. */
const RECOVERY_MS = 10_000;
const CHAIN_SEED = 'live';

/** Follows a growing chain by four servers with faults, and compares every step with the chain. */
export async function simulateLive({
  seed,
  minutes,
  onPhase,
  onDifference,
}: LiveOptions): Promise<LiveResult> {
  const random = new SeededRandom(seed);
  const wanted = Math.ceil((minutes * 60_000) / STEP_MS) + 40;
  const chain = await makeLocalBlocks({
    seed: CHAIN_SEED,
    shards: 2,
    transactions: wanted * 10,
    secondsPerStep: SECONDS_PER_STEP,
  });
  const form = seed % 2 === 0 ? 'ordinary' : 'simplex';
  const servers = await Promise.all(
    Array.from({ length: SERVERS }, () => FaultyServer.open(chain, { seed: CHAIN_SEED, form }, random)),
  );
  const folder = mkdtempSync(join(tmpdir(), 'live-'));
  const run = new LiveRun(chain, servers, onDifference);
  const reading = run.read(folder);
  const over = performance.now() + minutes * 60_000;
  for (let number = 0; performance.now() < over; number++) {
    const phase = planPhase(number, random);
    onPhase(phase.faults.map((fault) => fault ?? 'good').join(' | '));
    await run.phase(phase, Math.min(lengthOf(phase, minutes), over - performance.now()));
  }
  await run.end();
  await reading;
  await Promise.all(servers.map((server) => server.close()));
  rmSync(folder, { recursive: true, force: true });
  return run.result;
}

function lengthOf({ faults, isOutage }: Phase, minutes: number): number {
  if (isOutage) return Math.min(OUTAGE_MS, minutes * 6_000);
  return Math.max(...faults.map((fault) => (fault && LONG_PHASES.get(fault)) || PHASE_MS));
}

class LiveRun {
  private readonly chain: readonly Step[];
  private readonly servers: readonly FaultyServer[];
  private readonly onDifference: (text: string) => void;
  private readonly stop = new AbortController();
  private head = 1;
  /** When each masterchain block came into being. */
  private readonly bornAt: number[] = [];
  private isOutage = false;
  private outageEnd = 0;
  private name = '';
  private faults = 0;
  private steps = 0;
  private differences = 0;
  private longestMs = 0;
  private longestIn = '';
  private stops = 0;

  constructor(
    chain: readonly Step[],
    servers: readonly FaultyServer[],
    onDifference: (text: string) => void,
  ) {
    this.chain = chain;
    this.servers = servers;
    this.onDifference = onDifference;
    this.grow();
  }

  get result(): LiveResult {
    const { faults, steps, differences, longestMs, longestIn, stops } = this;
    return { faults, steps, differences, longestMs: Math.round(longestMs), longestIn, stops };
  }

  async phase({ faults, isOutage }: Phase, ms: number): Promise<void> {
    await Promise.all(this.servers.map((server, index) => server.setFault(faults[index] ?? null)));
    if (this.isOutage && !isOutage) this.outageEnd = performance.now();
    this.isOutage = isOutage;
    this.name = faults.filter(Boolean).join(' + ');
    this.faults += faults.filter(Boolean).length;
    const end = performance.now() + ms;
    while (performance.now() < end && this.head < this.chain.length - 1) {
      await sleep(STEP_MS);
      this.grow();
    }
  }

  /** Heals all servers and waits until every block was read. */
  async end(): Promise<void> {
    await this.phase({ faults: [], isOutage: false }, 0);
    for (const server of this.servers) server.grow(this.head);
    while (this.steps <= this.head) await sleep(50);
    this.stop.abort();
  }

  async read(directory: string): Promise<void> {
    const zerostate = new LiteBlocks(this.chain).zerostate.id;
    const source = openLiteServer({
      config: {
        servers: this.servers.map(({ address }) => address),
        ignored: [],
        zerostate,
        initBlock: zerostate,
        hardForks: [],
      },
      trust: 'signatures',
      trustedBlock: null,
      from: { kind: 'seqno', seqno: 1 },
      directory,
      log: { debug() {}, info() {}, warn() {}, error() {} },
    });
    for await (const step of source.steps(null, this.stop.signal)) this.take(step);
    await source.close();
  }

  private grow(): void {
    if (this.bornAt.length > 0) this.head++;
    this.bornAt[this.head] = performance.now();
    for (const server of this.servers) server.grow(this.head);
  }

  private take(step: Step): void {
    const expected = this.chain[this.steps++] as Step;
    const problem = differenceOf(expected, step);
    if (problem !== null) {
      this.differences++;
      this.onDifference(problem);
    }
    const born = this.bornAt[step.mcSeqno] ?? performance.now();
    if (this.isOutage) return;
    // Blocks of an outage come late; how late is another question.
    if (born < this.outageEnd + RECOVERY_MS) return;
    const ms = performance.now() - born;
    if (ms > MAX_STOP_MS) this.stops++;
    if (ms <= this.longestMs) return;
    this.longestMs = ms;
    this.longestIn = this.name;
  }
}

function differenceOf(expected: Step, found: Step): string | null {
  const texts = [expected, found].map(({ mcSeqno, states, blocks }) =>
    [mcSeqno, ...[...states, ...blocks].map(({ id }) => blockIdText(id))].join(' '),
  );
  if (texts[0] !== texts[1]) return `expected ${texts[0]}, found ${texts[1]}`;
  const index = expected.blocks.findIndex(
    ({ boc }, at) => !sameBytes(boc, found.blocks[at]?.boc ?? boc.slice(1)),
  );
  return index < 0 ? null : `block ${index} of step ${expected.mcSeqno} has other bytes`;
}
