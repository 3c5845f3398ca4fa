import type { LogIdentity, LogWriter } from '../log/port.ts';
import type { Log } from '../platform/observability/log.ts';
import { BadEntries } from './bad-entries.ts';
import { type BatchLimits, batchSteps } from './batch-steps.ts';
import { renewLease } from './lease-renewal.ts';
import { establishLog, planStart, type StartOptions } from './plan-start.ts';
import type { SourceFacts, Step } from './source.ts';
import { RAW_BLOCKS, stepRecords } from './step-records.ts';

export interface CaptureOptions extends StartOptions {
  /** Name of this process in the lease. */
  readonly owner: string;
  /** A writer silent for this long may be replaced. Default 15 s. */
  readonly sessionMs?: number;
  /** Limits of one append. Default 8 MB or 200 ms; a source without an end waits for no step that is not ready. */
  readonly batch?: BatchLimits;
  readonly onProgress?: (progress: CaptureProgress) => void;
  /** Called after a step is in the log. The next steps wait for it. */
  readonly onAppended?: ((step: Step) => void | Promise<void>) | undefined;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/** Progress of this run. */
export interface CaptureProgress {
  /** The last step appended. */
  readonly mcSeqno: number;
  readonly steps: number;
  readonly blocks: number;
  readonly bytes: number;
  /** Total of the source; null if unknown. */
  readonly totalBlocks: number | null;
}

export interface CaptureResult {
  /** Range of the steps appended by this run; null if there was nothing new. */
  readonly firstMcSeqno: number | null;
  readonly lastMcSeqno: number | null;
  readonly blocks: number;
  readonly states: number;
  /** Dead letters written by this run. */
  readonly deadLetters: number;
  /** The log's network. */
  readonly network: string;
  /** Position of the log's last step when this run began; null for an empty log. */
  readonly resumedFrom: number | null;
}

const SESSION_MS = 15_000;
const BATCH: BatchLimits = { bytes: 8_000_000, ms: 200 };
/** At the head a step does not wait for the next one. In catch-up many are ready and share an append. */
const HEAD_BATCH: BatchLimits = { ...BATCH, ms: 0 };

/**
 * The stage `capture`: appends a source's steps to `raw-blocks`, from the end of the log. Resolves at the end of a
 * finite source or when `signal` aborts (after the current append). Throws the errors of the source, of the start
 * (plan-start.ts) and of the bus. Appended steps stay, and the next run continues after them.
 */
export async function runCapture(options: CaptureOptions): Promise<CaptureResult> {
  const { source, bus, owner, log, sessionMs = SESSION_MS } = options;
  const facts = await source.describe();
  for (const note of facts.ignored) log.info({ source: source.name }, `passed over: ${note}`);
  const identity = await establishLog(options, facts);
  const writer = await bus.writer(RAW_BLOCKS, owner, sessionMs);
  const lease = renewLease(writer, sessionMs / 4);
  try {
    const signal = AbortSignal.any([options.signal, lease.lost]);
    const result = await append({ ...options, signal }, facts, identity, writer);
    if (lease.lost.aborted && !options.signal.aborted) throw lease.lost.reason;
    return result;
  } finally {
    await lease.stop();
    await writer.release();
  }
}

async function append(
  options: CaptureOptions,
  facts: SourceFacts,
  identity: LogIdentity,
  writer: LogWriter,
): Promise<CaptureResult> {
  const { bus, codec, signal, log, source } = options;
  const batch = options.batch ?? (source.finite ? BATCH : HEAD_BATCH);
  const { steps, tail } = await planStart(options, facts, writer);
  const bad = new BadEntries(bus);
  const tally = new Tally(facts.blocks);
  for await (const gathered of batchSteps(steps, batch, signal)) {
    for (const entry of gathered.flatMap((step) => step.bad ?? [])) {
      log.warn({ source: source.name }, entry.error.message);
      await bad.put(entry);
    }
    const full = gathered.filter(({ states, blocks }) => states.length + blocks.length > 0);
    if (full.length === 0) continue;
    await writer.append(full.map((step) => stepRecords(step, identity, codec)));
    for (const step of full) await options.onAppended?.(step);
    const progress = tally.add(full);
    options.onProgress?.(progress);
  }
  const left = facts.blocks === null || tail !== null || signal.aborted ? 0 : facts.blocks - tally.blocks;
  if (left > 0)
    log.warn(
      { source: source.name },
      `${left} blocks of the source are committed by no masterchain block in it`,
    );
  if (tally.first === null) log.info({ source: source.name, tail }, 'nothing new');
  return {
    firstMcSeqno: tally.first,
    lastMcSeqno: tally.last,
    blocks: tally.blocks,
    states: tally.states,
    deadLetters: bad.written,
    network: identity.network,
    resumedFrom: tail,
  };
}

/** Result of a run. */
class Tally {
  first: number | null = null;
  last: number | null = null;
  steps = 0;
  blocks = 0;
  states = 0;
  bytes = 0;
  private readonly totalBlocks: number | null;

  constructor(totalBlocks: number | null) {
    this.totalBlocks = totalBlocks;
  }

  add(steps: readonly Step[]): CaptureProgress {
    for (const { mcSeqno, states, blocks } of steps) {
      this.first ??= mcSeqno;
      this.last = mcSeqno;
      this.steps++;
      this.blocks += blocks.length;
      this.states += states.length;
      this.bytes += [...states, ...blocks].reduce((sum, { boc }) => sum + boc.length, 0);
    }
    const { steps: count, blocks, bytes, totalBlocks } = this;
    return { mcSeqno: this.last ?? 0, steps: count, blocks, bytes, totalBlocks };
  }
}
