import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { readConfirmed } from './confirmed-range.ts';

/** Lowest and highest confirmed masterchain seqno of unrelated blocks: between them nothing has to follow. */
export async function readVisibleSpan(
  client: StoreClient,
  db: string,
): Promise<{ first: number; last: number } | null> {
  const { rows } = await client.queryRows<[number, number, string]>(
    'SELECT min(first), max(last), count() FROM {db:Identifier}.confirmed',
    { route: 'watermark', params: { db } },
  );
  const [first, last, count] = rows[0] ?? [0, 0, '0'];
  return count === '0' ? null : { first, last };
}

/** What may be answered from: the contiguous confirmed range that holds the head, or of unrelated blocks the span. */
export function readVisible(client: StoreClient, database: string, continuity: string | undefined) {
  return continuity === 'isolated' ? readVisibleSpan(client, database) : readConfirmed(client, database);
}
