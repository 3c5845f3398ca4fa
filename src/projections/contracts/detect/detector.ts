import type {
  Candidate,
  DetectionFamily,
  DetectionStore,
  DetectKind,
  EndedCandidate,
  OutcomeRows,
} from './detection.ts';
import {
  readCandidates,
  readDetectedKinds,
  readEnded,
  readUnknownCodes,
  type UnknownCodes,
} from './detection-queue.ts';
import { UnknownOutcomes } from './unknown-outcomes.ts';

/** Accounts that are looked at before their outcomes are written. */
const PAGE = 200;
/** A pass ends after this long, so that a long queue leaves most of a core to those who index and answer. */
const PASS_MS = 4_000;

/** Counts of a pass. */
export interface DetectionPass {
  /** Accounts that were looked at. */
  readonly accounts: number;
  /** Positive outcomes. */
  readonly found: number;
  /** Accounts that could not be looked at now. */
  readonly postponed: number;
  /** Nothing is left to be looked at. */
  readonly isComplete: boolean;
}

type Counts = { -readonly [K in 'accounts' | 'found' | 'postponed']: number };

/**
 * Decides for accounts under unknown codes whether they are of a family's kinds, by their get methods on the newest
 * state. A state is examined once, however many transactions led to it. Steps are examined again only after a new code.
 */
export class Detector<K extends string, F extends { readonly kind: K }> {
  readonly #store: DetectionStore;
  readonly #family: DetectionFamily<K, F>;
  readonly #rows: OutcomeRows<K, F>;
  readonly #detect: DetectKind<K, F>;
  readonly #unknown: UnknownOutcomes;
  readonly #signal: AbortSignal;
  #codes: UnknownCodes<K> = new Map();
  /** Everything up to here was looked at, for the codes above. */
  #done = -1;

  constructor(
    store: DetectionStore,
    family: DetectionFamily<K, F>,
    detect: DetectKind<K, F>,
    signal: AbortSignal,
  ) {
    this.#store = store;
    this.#family = family;
    this.#rows = family.rows();
    this.#unknown = new UnknownOutcomes(store, family.table);
    this.#detect = detect;
    this.#signal = signal;
  }

  /** Looks at accounts whose newest state came with a step up to `last`, newest first, for a few seconds. */
  async pass(last: number): Promise<DetectionPass> {
    const began = performance.now();
    if (await this.#unknown.forget()) this.#done = -1;
    try {
      return await this.#pass(last);
    } finally {
      this.#unknown.passed(performance.now() - began);
    }
  }

  async #pass(last: number): Promise<DetectionPass> {
    await this.#readCodes();
    const sum: Counts = { accounts: 0, found: 0, postponed: 0 };
    const end = performance.now() + PASS_MS;
    while (this.#codes.size > 0 && this.#done < last) {
      const page = await readCandidates(this.#store, this.#family, { first: this.#done + 1, last }, PAGE);
      const before = await readDetectedKinds(
        this.#store,
        this.#family,
        page.map(({ account }) => account),
      );
      for (const candidate of page) {
        const { workchain, address } = candidate.account;
        const was = before.get(`${workchain}:${Buffer.from(address).toString('hex')}`) ?? [];
        await this.#detectAccount(candidate, was, sum);
      }
      await this.#rows.flush(this.#store);
      // Those that had to be put off would come again and again.
      const isOver = sum.postponed > 0 || this.#signal.aborted || performance.now() > end;
      if (page.length < PAGE && sum.postponed === 0 && !this.#signal.aborted) break;
      if (isOver) return { ...sum, isComplete: false };
    }
    if (!(await this.#detectEnded(last, end, sum))) return { ...sum, isComplete: false };
    this.#done = this.#hasNewParents ? -1 : Math.max(this.#done, last);
    const isComplete = !this.#hasNewParents;
    this.#hasNewParents = false;
    return { ...sum, isComplete };
  }

  /** Collections or multisigs were found whose items and orders under known codes may be older than what was looked at. */
  #hasNewParents = false;

  async #readCodes(): Promise<void> {
    const codes = await readUnknownCodes(this.#store, this.#family.methods);
    if ([...codes.keys()].some((code) => !this.#codes.has(code))) this.#done = -1;
    this.#codes = codes;
  }

  /** Looks at accounts that ended before their turn, in their last state; false where not all had their turn. */
  async #detectEnded(last: number, end: number, sum: Counts): Promise<boolean> {
    if (!this.#family.hasEnded || this.#codes.size === 0 || this.#done >= last) return true;
    for (;;) {
      const page = await readEnded(this.#store, this.#family, { first: this.#done + 1, last }, PAGE);
      for (const candidate of page) await this.#detectLast(candidate, sum);
      await this.#rows.flush(this.#store);
      if (sum.postponed > 0 || this.#signal.aborted) return false;
      if (page.length < PAGE) return true;
      if (performance.now() > end) return false;
    }
  }

  /** Adds the kinds of an ended account in its last state, and that it is none now. */
  async #detectLast({ end, ...candidate }: EndedCandidate, sum: Counts): Promise<void> {
    if (this.#signal.aborted) return;
    const { account, codeHash, position } = candidate;
    const kinds = this.#codes.get(Buffer.from(codeHash).toString('hex'));
    const outcomes = [];
    for (const kind of kinds ?? [])
      outcomes.push({ kind, outcome: await this.#detect(account, kind, position) });
    if (!kinds || outcomes.some(({ outcome }) => outcome === null)) {
      sum.postponed++;
      return;
    }
    const now = { ...candidate, ...end };
    for (const { kind, outcome } of outcomes) {
      const found = outcome !== null && 'found' in outcome;
      if (found) this.#rows.add(candidate, kind, outcome);
      // Its end has an outcome, whatever it was: it is not looked at again.
      this.#rows.add(now, kind, found || outcome === null ? { reason: 'another code' } : outcome);
      if (found) sum.found++;
    }
    sum.accounts++;
  }

  /** `was`: kinds that it was found to be before. */
  async #detectAccount(candidate: Candidate, was: readonly K[], sum: Counts): Promise<void> {
    if (this.#signal.aborted) return;
    const kinds = this.#getKinds(candidate);
    const outcomes = [];
    if (!kinds) sum.postponed++;
    for (const kind of kinds ?? []) {
      const outcome = await this.#detect(candidate.account, kind);
      if (outcome === null) {
        sum.postponed++;
        return;
      }
      outcomes.push({ kind, outcome });
    }
    for (const { kind, outcome } of outcomes) {
      this.#rows.add(candidate, kind, outcome);
      if (!('found' in outcome)) continue;
      sum.found++;
      if (kind === this.#family.children?.parent && !was.includes(kind)) this.#hasNewParents = true;
    }
    if (!kinds) return;
    for (const kind of was)
      if (!kinds.includes(kind)) this.#rows.add(candidate, kind, { reason: 'another code' });
    sum.accounts++;
  }

  /** Kinds that an account may be by its code; null for a code that came a moment ago, which the next pass knows. */
  #getKinds({ codeHash, isQueued, isKnownChild }: Candidate): readonly K[] | null {
    const queued = this.#codes.get(Buffer.from(codeHash).toString('hex'));
    if (isQueued) return queued ?? null;
    const { children } = this.#family;
    return isKnownChild && children ? [children.kind] : [];
  }
}
