import type { FetchFailure } from '../../platform/fetch/fetch-error.ts';
import { FetchError } from '../../platform/fetch/fetch-error.ts';
import type { Counter, Metrics } from '../../platform/observability/metrics/metrics.ts';
import type { ContentRecord } from './content-records.ts';
import { toStoredContent } from './off-chain-content.ts';

/** Result of a fetch: `ok`, `content` not a JSON object in UTF-8, or why nothing came. */
type Outcome = 'ok' | 'content' | FetchFailure;

export interface ContentFetcherParts {
  /** Fetches a link from a token's content. @throws FetchError */
  fetch(link: string, signal: AbortSignal): Promise<Uint8Array>;
  read(links: readonly string[]): Promise<readonly ContentRecord[]>;
  write(records: readonly ContentRecord[]): Promise<void>;
  readonly log: { warn(facts: object, text: string): void };
  readonly metrics: Metrics;
  /** Unix seconds. */
  readonly now: () => number;
}

/** Fetches at the same time. */
const MAX_RUNNING = 8;
/** Fetches from one host at the same time. */
const MAX_OF_HOST = 2;
/** Links that wait; more are asked for again by later answers. */
const MAX_WAITING = 10_000;
/** A good answer is asked for again after so long. */
const REFRESH_S = 7 * 24 * 3600;
/** The pause after a first failure; each further one is four times as long, up to the interval of good answers. */
const FIRST_PAUSE_S = 60;

/** Fetches token documents for answers, a few links at a time, and stores them. */
export class ContentFetcher {
  readonly #parts: ContentFetcherParts;
  readonly #outcomes: Counter<'outcome'>;
  readonly #waiting = new Set<string>();
  readonly #running = new Map<string, string>();
  readonly #stop = new AbortController();

  constructor(parts: ContentFetcherParts) {
    this.#parts = parts;
    this.#outcomes = parts.metrics.counter({
      name: 'tonhouse_metadata_fetches_total',
      help: 'Links of tokens that were fetched, by what came of it',
      labels: ['outcome'],
    });
  }

  /** Links that are to be fetched, unless they wait, run, or were fetched not long ago. */
  wanted(links: readonly string[]): void {
    for (const link of links)
      if (this.#waiting.size < MAX_WAITING && !this.#running.has(link)) this.#waiting.add(link);
    this.#start();
  }

  /** Ends what runs. */
  close(): void {
    this.#stop.abort();
    this.#waiting.clear();
  }

  /** Starts as many as may run. */
  #start(): void {
    for (const link of this.#waiting) {
      if (this.#running.size >= MAX_RUNNING || this.#stop.signal.aborted) return;
      const host = URL.parse(link)?.host ?? '';
      const ofHost = [...this.#running.values()].filter((one) => one === host).length;
      if (ofHost >= MAX_OF_HOST) continue;
      this.#waiting.delete(link);
      this.#running.set(link, host);
      void this.#run(link);
    }
  }

  async #run(link: string): Promise<void> {
    try {
      const [known] = await this.#parts.read([link]);
      if (!known || known.nextAt <= this.#parts.now()) await this.#fetch(link, known);
    } catch (error) {
      // The store is away: the link is wanted again by the next answer.
      if (!this.#stop.signal.aborted) this.#parts.log.warn({ error, link }, 'metadata could not be kept');
    } finally {
      this.#running.delete(link);
      this.#start();
    }
  }

  /** Fetches and keeps; what was good before stays while the link fails. */
  async #fetch(link: string, known: ContentRecord | undefined): Promise<void> {
    const { outcome, content } = await this.#attempt(link);
    if (this.#stop.signal.aborted) return;
    this.#outcomes.inc({ outcome });
    const now = this.#parts.now();
    const failures = content === null ? (known?.failures ?? 0) + 1 : 0;
    const stored = content ?? known?.content ?? '';
    await this.#parts.write([{ link, content: stored, failures, nextAt: now + pauseAfter(failures) }]);
  }

  async #attempt(link: string): Promise<{ readonly outcome: Outcome; readonly content: string | null }> {
    try {
      const content = toStoredContent(await this.#parts.fetch(link, this.#stop.signal));
      return { outcome: content === null ? 'content' : 'ok', content };
    } catch (error) {
      if (error instanceof FetchError) return { outcome: error.reason, content: null };
      throw error;
    }
  }
}

/** Seconds until a link is asked for again. */
export function pauseAfter(failures: number): number {
  if (failures === 0) return REFRESH_S;
  return Math.min(FIRST_PAUSE_S * 4 ** (failures - 1), REFRESH_S);
}
