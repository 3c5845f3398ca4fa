import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { type ConfirmedRange, POLL_SETTINGS, readConfirmed } from './confirmed-range.ts';
import { PollSchedule } from './poll-schedule.ts';
import type { WatermarkOptions } from './watermark-reader.ts';

/** Lowest and highest confirmed masterchain seqno of unrelated blocks: between them nothing has to follow. */
export async function readVisibleSpan(
  client: StoreClient,
  db: string,
): Promise<{ first: number; last: number } | null> {
  const { rows } = await client.queryRows<[number, number, string]>(
    'SELECT min(first), max(last), count() FROM {db:Identifier}.confirmed',
    { route: 'watermark', params: { db }, settings: POLL_SETTINGS },
  );
  const [first, last, count] = rows[0] ?? [0, 0, '0'];
  return count === '0' ? null : { first, last };
}

/** Visible range: the contiguous confirmed range that holds the head, or the span of unrelated blocks. */
export function readVisible(client: StoreClient, database: string, continuity: string | undefined) {
  return continuity === 'isolated' ? readVisibleSpan(client, database) : readConfirmed(client, database);
}

/** Follows the visible span of unrelated blocks. */
export class SpanReader {
  readonly #schedule: PollSchedule;
  current: ConfirmedRange | null = null;

  constructor({ client, database, pollMs: pauseMs, onError = () => {} }: WatermarkOptions) {
    const poll = async () => this.#add(await readVisibleSpan(client, database));
    this.#schedule = new PollSchedule({ poll, pauseMs, onError });
  }

  start(): Promise<void> {
    return this.#schedule.start();
  }

  stop(): Promise<void> {
    return this.#schedule.stop();
  }

  /** See `PollSchedule.freshen`. */
  freshen(): Promise<void> {
    return this.#schedule.freshen();
  }

  /** A range was confirmed, by this process. */
  confirmed(range: ConfirmedRange): void {
    this.#schedule.announced();
    this.#add(range);
  }

  #add(range: ConfirmedRange | null): void {
    if (!range) return;
    const known = this.current ?? { first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY };
    if (range.first >= known.first && range.last <= known.last) return;
    this.current = { first: Math.min(known.first, range.first), last: Math.max(known.last, range.last) };
    this.#schedule.changed();
  }
}
