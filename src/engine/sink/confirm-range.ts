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
