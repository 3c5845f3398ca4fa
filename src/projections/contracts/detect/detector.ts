import type { Candidate, DetectKind } from './detection.ts';
import {
  type DetectionStore,
  readCandidates,
  readUnknownCodes,
  type UnknownCodes,
} from './detection-queue.ts';
import { DetectionRows } from './detection-rows.ts';

/** Accounts that are looked at before their outcomes are written. */
const PAGE = 200;
/** A pass ends after this long, so that a long queue leaves most of a core to those who index and answer. */
const PASS_MS = 4_000;

/** What a pass did. */
export interface DetectionPass {
  /** Accounts that were looked at. */
  readonly accounts: number;
  /** Outcomes that are tokens. */
  readonly tokens: number;
  /** Accounts that could not be looked at now. */
  readonly postponed: number;
  /** Nothing is left to be looked at. */
  readonly isComplete: boolean;
}

type Counts = { -readonly [K in 'accounts' | 'tokens' | 'postponed']: number };

/**
 * Says of accounts under codes that are not known whether they are tokens: by their get methods, on their newest state,
 * once a state however many transactions led to it. What is known of codes is not asked again until a new one comes.
 */
export class Detector {
  readonly #store: DetectionStore;
  readonly #detect: DetectKind;
  readonly #signal: AbortSignal;
  #codes: UnknownCodes = new Map();
  /** Everything up to here was looked at, for the codes above. */
  #done = -1;

  constructor(store: DetectionStore, detect: DetectKind, signal: AbortSignal) {
    this.#store = store;
    this.#detect = detect;
    this.#signal = signal;
  }

  /** Looks at accounts whose newest state came with a step up to `last`, newest first, for a few seconds. */
  async pass(last: number): Promise<DetectionPass> {
    await this.#readCodes();
    const sum: Counts = { accounts: 0, tokens: 0, postponed: 0 };
    const end = performance.now() + PASS_MS;
    while (this.#codes.size > 0 && this.#done < last) {
      const page = await readCandidates(this.#store, { first: this.#done + 1, last }, PAGE);
      for (const candidate of page) await this.#lookAt(candidate, sum);
      await this.#rows.flush(this.#store);
      // Those that had to be put off would come again and again.
      const isOver = sum.postponed > 0 || this.#signal.aborted || performance.now() > end;
      if (page.length < PAGE && sum.postponed === 0 && !this.#signal.aborted) break;
      if (isOver) return { ...sum, isComplete: false };
    }
    this.#done = Math.max(this.#done, last);
    return { ...sum, isComplete: true };
  }

  readonly #rows = new DetectionRows();

  async #readCodes(): Promise<void> {
    const codes = await readUnknownCodes(this.#store);
    if ([...codes.keys()].some((code) => !this.#codes.has(code))) this.#done = -1;
    this.#codes = codes;
  }

  async #lookAt(candidate: Candidate, sum: Counts): Promise<void> {
    if (this.#signal.aborted) return;
    const kinds = this.#codes.get(Buffer.from(candidate.codeHash).toString('hex'));
    const outcomes = [];
    // A code that came a moment ago is known to the next pass.
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
      if ('token' in outcome) sum.tokens++;
    }
    if (kinds) sum.accounts++;
  }
}
