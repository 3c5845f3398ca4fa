import { UNKNOWN_OUTCOME } from '../../ton/contracts/unknown-outcome.ts';
import { type AccountAddress, toAccountName } from '../../ton/store/store-address.ts';
import type {
  Candidate,
  DetectedContract,
  DetectedToken,
  DetectionFamily,
  DetectionOutcome,
  DetectionStore,
  DetectKind,
  EndedCandidate,
  StateOutcome,
} from './detection.ts';
import {
  type CandidatePlace,
  type CandidateRange,
  hasUnknown,
  readCandidates,
  readDetectedKinds,
  readEnded,
} from './read-candidates.ts';
import { readUnknownCodes, type UnknownCodes } from './unknown-codes.ts';

/** Candidates of one statement. */
const PAGE = 200;
/** Candidates that are examined at the same time. */
const AT_ONCE = 4;
/** Interval at which unknown outcomes are retried, ms: missing data may have been indexed or fetched. */
const RETRY_MS = 60_000;
/** A retry waits this many times longer than the last sweep took. */
const RETRY_SHARE = 100;

type Found = DetectedToken | DetectedContract;

/** Part of a sweep: outcomes, or null if an account could not be examined now. */
type SweepPart<F> = readonly StateOutcome<F>[] | null;

/** Outcomes of a call, and whether everything up to the requested step is examined. */
export interface Examined<F> {
  readonly outcomes: readonly StateOutcome<F>[];
  readonly isComplete: boolean;
}

/**
 * Decides for accounts under unknown codes whether they are of a family's kinds, by their get methods. A sweep examines
 * the newest states of a range of steps, each once, however many transactions led to it. It may take several calls. Steps
 * are examined again only after a new code.
 */
export class Detector<K extends string, F extends Found & { readonly kind: K }> {
  readonly #store: DetectionStore;
  readonly #family: DetectionFamily<K>;
  readonly #detect: DetectKind<K, F>;
  #codes: UnknownCodes<K> = new Map();
  /** Everything up to here was examined, for the codes above. */
  #done = -1;
  #sweep: AsyncGenerator<SweepPart<F>> | null = null;
  #retryAt = 0;

  constructor(store: DetectionStore, family: DetectionFamily<K>, detect: DetectKind<K, F>) {
    this.#store = store;
    this.#family = family;
    this.#detect = detect;
  }

  /**
   * Examines states up to the step `last` until the moment `end` (`performance.now()`). `canBegin`: all outcomes of the
   * sweep before are in the tables, so that a sweep may begin.
   */
  async examine(last: number, end: number, canBegin: boolean): Promise<Examined<F>> {
    const outcomes: StateOutcome<F>[] = [];
    const get = (isComplete: boolean) => ({ outcomes, isComplete });
    for (;;) {
      if (!this.#sweep && this.#done >= last) return get(true);
      if (!this.#sweep && !(canBegin && outcomes.length === 0)) return get(false);
      this.#sweep ??= this.#begin(last);
      const sweep = this.#sweep;
      const part = await sweep.next().catch((error: unknown) => {
        this.#sweep = null;
        throw error;
      });
      if (part.done) this.#sweep = null;
      else if (part.value === null) return get(false);
      else outcomes.push(...part.value);
      if (!part.done && performance.now() > end) return get(false);
    }
  }

  async *#begin(last: number): AsyncGenerator<SweepPart<F>> {
    const began = performance.now();
    const isDue = began >= this.#retryAt;
    const isRetry = isDue && (await hasUnknown(this.#store, this.#family));
    const codes = await readUnknownCodes(this.#store, this.#family.methods);
    const isNew = [...codes.keys()].some((code) => !this.#codes.has(code));
    this.#codes = codes;
    const first = isRetry || isNew ? 0 : this.#done + 1;
    if (codes.size > 0) {
      yield* this.#sweepRange({ first, last, isRetry });
      if (this.#family.hasEnded) yield* this.#sweepEnded({ first, last });
    }
    this.#done = Math.max(this.#done, last);
    if (isDue)
      this.#retryAt = performance.now() + Math.max(RETRY_MS, RETRY_SHARE * (performance.now() - began));
  }

  /** Examines candidates, then children under known codes of the parents that were found. */
  async *#sweepRange(range: CandidateRange): AsyncGenerator<SweepPart<F>> {
    const parents: AccountAddress[] = [];
    for await (const page of this.#pages((place) =>
      readCandidates(this.#store, this.#family, range, place),
    )) {
      const before = await readDetectedKinds(
        this.#store,
        this.#family,
        page.map(({ account }) => account),
      );
      for await (const part of this.#examineAll(page, (candidate) =>
        this.#examineAccount(candidate, before.get(toAccountName(candidate.account)) ?? [], range.last),
      )) {
        yield part;
        parents.push(...this.#newParents(part ?? [], before));
      }
    }
    if (parents.length > 0)
      yield* this.#sweepRange({ first: 0, last: range.last, isRetry: false, childrenOf: parents });
  }

  #newParents(
    outcomes: readonly StateOutcome<F>[],
    before: ReadonlyMap<string, readonly K[]>,
  ): AccountAddress[] {
    const { children } = this.#family;
    return outcomes.flatMap(({ state, kind, outcome }) => {
      const isNew = !before.get(toAccountName(state.account))?.includes(kind as K);
      return children && kind === children.parent && 'found' in outcome && isNew ? [state.account] : [];
    });
  }

  async *#sweepEnded(range: Pick<CandidateRange, 'first' | 'last'>): AsyncGenerator<SweepPart<F>> {
    for await (const page of this.#pages((place) => readEnded(this.#store, this.#family, range, place)))
      yield* this.#examineAll(page, (candidate) => this.#examineEnded(candidate));
  }

  /** Pages of candidates, each after the last candidate of the page before. */
  async *#pages<C extends CandidatePlace>(
    read: (page: { readonly after: CandidatePlace | null; readonly limit: number }) => Promise<C[]>,
  ): AsyncGenerator<readonly C[]> {
    for (let after: CandidatePlace | null = null; ; ) {
      const page: C[] = await read({ after, limit: PAGE });
      if (page.length > 0) yield page;
      if (page.length < PAGE) return;
      after = page.at(-1) as C;
    }
  }

  /** Examines some candidates at the same time, and those that had to wait again, until all are examined. */
  async *#examineAll<C>(
    candidates: readonly C[],
    examine: (candidate: C) => Promise<readonly StateOutcome<F>[] | null>,
  ): AsyncGenerator<SweepPart<F>> {
    for (let open = candidates; open.length > 0; ) {
      const waiting: C[] = [];
      for (let at = 0; at < open.length; at += AT_ONCE) {
        const some = open.slice(at, at + AT_ONCE);
        const found = await Promise.all(some.map(examine));
        waiting.push(...some.filter((_, i) => found[i] === null));
        yield found.flatMap((outcomes) => outcomes ?? []);
      }
      if (waiting.length > 0) yield null;
      open = waiting;
    }
  }

  /** `was`: kinds that it was found to be before. Null: not possible now. */
  async #examineAccount(
    candidate: Candidate,
    was: readonly K[],
    last: number,
  ): Promise<readonly StateOutcome<F>[] | null> {
    const kinds = this.#getKinds(candidate);
    // A code that came a moment ago: the next sweep knows it.
    if (!kinds) return [];
    const outcomes = await this.#runKinds(candidate.account, kinds, last);
    if (!outcomes) return null;
    const ended = was
      .filter((kind) => !kinds.includes(kind))
      .map((kind) => ({ kind, outcome: ANOTHER_CODE }));
    // A retried state has an unknown outcome already.
    return [...outcomes, ...ended]
      .filter(({ outcome }) => !(candidate.isRetried && isUnknown(outcome)))
      .map(({ kind, outcome }) => ({ state: candidate, kind, outcome }));
  }

  /** The kinds of an ended account in its last state, and that it is none now. */
  async #examineEnded({ end, ...candidate }: EndedCandidate): Promise<readonly StateOutcome<F>[] | null> {
    const { account, codeHash, position } = candidate;
    const kinds = this.#codes.get(Buffer.from(codeHash).toString('hex')) ?? [];
    const outcomes = await this.#runKinds(account, kinds, position);
    if (!outcomes) return null;
    const now = { ...candidate, ...end };
    return outcomes.flatMap(({ kind, outcome }): readonly StateOutcome<F>[] => {
      // Its end has an outcome, whatever it was: it is not examined again.
      if (!('found' in outcome)) return [{ state: now, kind, outcome }];
      return [
        { state: candidate, kind, outcome },
        { state: now, kind, outcome: ANOTHER_CODE },
      ];
    });
  }

  async #runKinds(account: AccountAddress, kinds: readonly K[], at: number) {
    const outcomes: { readonly kind: K; readonly outcome: DetectionOutcome<F> }[] = [];
    for (const kind of kinds) {
      const outcome = await this.#detect(account, kind, at);
      if (outcome === null) return null;
      outcomes.push({ kind, outcome });
    }
    return outcomes;
  }

  /** Kinds that an account may be by its code; null if the code is queued and not loaded. */
  #getKinds({ codeHash, isQueued, isKnownChild }: Candidate): readonly K[] | null {
    const { children } = this.#family;
    if (isQueued) return this.#codes.get(Buffer.from(codeHash).toString('hex')) ?? null;
    return isKnownChild && children ? [children.kind] : [];
  }
}

const ANOTHER_CODE = { reason: 'another code' } as const;

function isUnknown(outcome: DetectionOutcome<unknown>): boolean {
  return 'reason' in outcome && outcome.reason.startsWith(UNKNOWN_OUTCOME);
}
