import { pause } from '../../platform/retry/poll.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { TableProjection } from '../projection/projection.ts';
import type { AuditPart } from '../projection/table-audit.ts';
import { type PositionRange, subtractRanges } from '../ranges/position-ranges.ts';
import type { ServedView } from '../versions/served-version.ts';
import { type PortionBounds, PortionWidth } from './portion-width.ts';
import type { ProofRecords } from './proof-records.ts';
import { afterPart, atRest, duePart, newProof, type ProofPace, type ProofState } from './proof-state.ts';
import { getAccountParts, provePart } from './prove-part.ts';

export interface ProverPace extends ProofPace {
  /** Delay of the first portion, ms: start-up work comes first. */
  readonly startMs: number;
  /** Between looks at what is known in memory, while nothing is due, ms. */
  readonly pauseMs: number;
  /** Rest after a portion, as a multiple of the time that it took. */
  readonly rest: number;
}

const PACE: ProverPace = {
  startMs: 30_000,
  pauseMs: 60_000,
  rest: 19,
  headMs: 300_000,
  recheckMs: 60_000,
  roundMs: 86_400_000,
};

/** Steps of a portion, and parts of the accounts: they follow the time that portions take. */
const STEPS: PortionBounds = { first: 500, least: 10, most: 20_000, growth: 2 };
/** A small chain's accounts need a few portions, not all the parts of a large one. */
const ACCOUNTS: PortionBounds = { first: 1, least: 1, most: 64, growth: 4 };
/** States are written this often while portions follow each other, ms. */
const WRITE_MS = 60_000;

export interface ProverParts extends Pick<EngineParts, 'client' | 'identity' | 'log'> {
  readonly projections: readonly TableProjection[];
  /** Served view of a projection now; it costs no statement. */
  view(projection: string): ServedView;
  readonly records: Pick<ProofRecords, 'read' | 'write'>;
}

/** The proof of a projection's served version. */
export interface ProjectionProof {
  readonly projection: string;
  readonly database: string;
  readonly visible: PositionRange;
  readonly unprovenSteps: number;
  readonly accountParts: number;
  readonly state: ProofState;
}

interface Due {
  readonly projection: TableProjection;
  readonly database: string;
  readonly visible: PositionRange;
  readonly part: AuditPart;
}

/**
 * Proves the tables of the served versions, a portion at a time: first everything, then what comes, and everything again
 * each day. Nothing is asked of the store while nothing is new; while something is, a twentieth of the time at most, on
 * one thread of it.
 */
export class IntegrityProver {
  readonly #parts: ProverParts;
  readonly #pace: ProverPace;
  readonly #stop = new AbortController();
  readonly #states = new Map<string, ProofState>();
  readonly #unwritten = new Set<string>();
  readonly #widths = { steps: new PortionWidth(STEPS), accounts: new PortionWidth(ACCOUNTS) };
  #writtenAt = 0;
  /** Nothing was due at the last look. */
  #isResting = true;
  #running: Promise<void> = Promise.resolve();

  constructor(parts: ProverParts, pace: Partial<ProverPace> = {}) {
    this.#parts = parts;
    this.#pace = { ...PACE, ...pace };
  }

  /** Verifies until `close`, in the background. */
  start(): void {
    this.#running = this.#run();
  }

  /** Ends the portion under way, and writes down how far the proof is. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** The proof of each projection that is served. */
  get proofs(): readonly ProjectionProof[] {
    return this.#parts.projections.flatMap((projection) => {
      const view = this.#parts.view(projection.name);
      if (view.state !== 'served') return [];
      const { database, visible } = view;
      const state = this.#getState(database);
      const open = subtractRanges([visible], state.proven);
      const unprovenSteps = open.reduce((sum, { first, last }) => sum + last - first + 1, 0);
      const accountParts = getAccountParts(projection);
      return [{ projection: projection.name, database, visible, unprovenSteps, accountParts, state }];
    });
  }

  /** Looks at the portion that is due; false where none is. */
  async turn(): Promise<boolean> {
    const due = this.#due();
    if (due) await this.#prove(due);
    if (!due || Date.now() - this.#writtenAt >= WRITE_MS) await this.#write();
    return due !== null;
  }

  async #prove({ projection, database, visible, part }: Due): Promise<void> {
    const { client, identity, log } = this.#parts;
    const began = performance.now();
    const portion = { client, identity, projection, database, visible, signal: this.#stop.signal };
    const results = await provePart(portion, part);
    this.#widths['steps' in part ? 'steps' : 'accounts'].took(performance.now() - began);
    const before = this.#getState(database);
    const after = afterPart(before, part, results, Date.now());
    this.#set(database, after);
    if (after.findings.length !== before.findings.length) this.#writtenAt = 0;
    if (after.findings.length > before.findings.length)
      log.error(
        { projection: projection.name, ...after.findings.at(-1) },
        'rows of the store are missing or altered: see /integrity and `tonhouse verify`',
      );
  }

  async #run(): Promise<void> {
    const { startMs, pauseMs, rest } = this.#pace;
    const { signal } = this.#stop;
    await this.#adopt().catch(() => {});
    for (let nextMs = startMs; !signal.aborted; ) {
      await pause(nextMs, signal, { isBackground: true });
      if (signal.aborted) break;
      const began = performance.now();
      const isProven = await this.#tried();
      nextMs = isProven ? (performance.now() - began) * rest : pauseMs;
    }
    await this.#write().catch(() => {});
  }

  /** A turn; one that fails is retried later, with fewer steps. */
  async #tried(): Promise<boolean> {
    try {
      if (this.#isResting && this.#due()) await this.#adopt();
      this.#isResting = !(await this.turn());
      return !this.#isResting;
    } catch (error) {
      this.#widths.steps.failed();
      this.#widths.accounts.failed();
      if (!this.#stop.signal.aborted) this.#parts.log.debug({ error }, 'a portion could not be proven');
      return false;
    }
  }

  #due(): Due | null {
    const now = Date.now();
    for (const projection of this.#parts.projections) {
      const view = this.#parts.view(projection.name);
      if (view.state !== 'served') continue;
      const { database, visible } = view;
      const accountWidth = this.#widths.accounts.now;
      const scope = { visible, accountParts: getAccountParts(projection), width: this.#steps, accountWidth };
      const state = this.#getState(database);
      const part = duePart(state, scope, this.#pace, now);
      if (part) return { projection, database, visible, part };
      this.#set(database, atRest(state, this.#pace, now));
    }
    return null;
  }

  /** Unrelated blocks are few and far apart. */
  get #steps(): number {
    const { continuity } = this.#parts.identity.facts;
    return continuity === 'isolated' ? Number.POSITIVE_INFINITY : this.#widths.steps.now;
  }

  /** Takes over what another process, or an earlier one, has proven since. */
  async #adopt(): Promise<void> {
    for (const [database, state] of await this.#parts.records.read(this.#stop.signal)) {
      const own = this.#states.get(database)?.last?.at ?? 0;
      if ((state.last?.at ?? 0) > own) this.#states.set(database, state);
    }
  }

  #getState(database: string): ProofState {
    const known = this.#states.get(database);
    if (known) return known;
    const state = newProof(Date.now());
    this.#states.set(database, state);
    return state;
  }

  #set(database: string, state: ProofState): void {
    if (this.#states.get(database) === state) return;
    this.#states.set(database, state);
    this.#unwritten.add(database);
  }

  async #write(): Promise<void> {
    this.#writtenAt = Date.now();
    for (const database of this.#unwritten) {
      await this.#parts.records.write(database, this.#getState(database));
      this.#unwritten.delete(database);
    }
  }
}
