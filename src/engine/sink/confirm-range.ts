import type { JournalEntry } from '../../log/port.ts';
import { route, type SinkContext } from './sink-context.ts';

/**
 * Adds the range to `confirmed`: from now on it counts for the watermark. Its rows are on the disk before readers see it
 * as confirmed, and it is on the disk itself when this resolves: the journal, which is, forgets the range next. A
 * repeated row changes nothing. A range without a position of its own (`firstPosition` above `lastPosition`) confirms
 * nothing. `onVisible`: readers see the range, who need not wait until the disk and the journal have that too.
 */
export async function confirmRange(
  context: SinkContext,
  entry: JournalEntry,
  signal: AbortSignal,
  onVisible: () => void = () => {},
): Promise<void> {
  if (entry.firstPosition > entry.lastPosition) return;
  await context.client.flush();
  await context.client.command(
    `INSERT INTO ${context.database}.confirmed (first, last, epoch, lane)
     VALUES ({first:UInt32}, {last:UInt32}, {epoch:UInt32}, {lane:UInt16})`,
    {
      route: route(context, 'confirmed'),
      params: { first: entry.firstPosition, last: entry.lastPosition, epoch: entry.epoch, lane: entry.lane },
      signal,
      settings: { insert_deduplicate: 0 },
    },
  );
  onVisible();
  await context.client.flush();
}

/**
 * Confirms the range of a confirmed position again, after rows of it were replaced: who follows the confirmations reads
 * them again. The range stays as it is. All is on the disk when this resolves. `partition`: of a projection in chain order.
 */
export async function confirmAgain(
  context: SinkContext,
  { position, partition }: { readonly position: number; readonly partition?: number | undefined },
  signal: AbortSignal,
): Promise<void> {
  const own = partition === undefined ? '' : `AND lane = ${partition}`;
  await context.client.flush();
  await context.client.command(
    `INSERT INTO ${context.database}.confirmed (first, last, epoch, lane)
     SELECT DISTINCT first, last, epoch, lane FROM ${context.database}.confirmed
     WHERE first <= {position:UInt32} AND last >= {position:UInt32} ${own}`,
    {
      route: route(context, 'confirmed'),
      params: { position },
      signal,
      settings: { insert_deduplicate: 0 },
    },
  );
  await context.client.flush();
}
