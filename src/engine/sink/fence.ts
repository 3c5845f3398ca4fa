import type { JournalEntry } from '../../log/port.ts';
import type { InsertCondition } from '../../platform/clickhouse/conditional-insert.ts';
import { metaDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import { StoreError } from '../../platform/clickhouse/store-errors.ts';
import { queryPrefix, type Range, route, type SinkContext } from './sink-context.ts';

/** A batch is another owner's by now, or may be: what is under way for it must end. */
export class RangeLostError extends Error {
  override readonly name = 'RangeLostError';
  readonly range: string;
  constructor(range: string, reason: string) {
    super(`${range}: ${reason}`);
    this.range = range;
  }
}

/** The table of closed attempts of a network's batches, qualified. */
export function fencesOf(network: string): string {
  return `${metaDatabase(network)}.fences`;
}

/** FUNCTION_THROW_IF_VALUE_IS_NON_ZERO: a condition of an insert was false. */
const REFUSED = 395;

const CLOSED = (fences: string) =>
  `(SELECT count() FROM ${fences} WHERE range = {range:String} AND attempt >= {attempt:UInt32}) = 0`;

/**
 * The condition that a statement of an attempt carries. The server looks at it when it begins to run the statement,
 * which stands in `system.processes` by then: so a statement is refused, or whoever closed the attempt sees it there.
 */
export function whileOpen(
  context: SinkContext,
  entry: Pick<JournalEntry, 'lane' | 'from' | 'attempt'>,
): InsertCondition & { readonly params: { readonly range: string; readonly attempt: number } } {
  const params = { range: queryPrefix(context, entry), attempt: entry.attempt };
  return { sql: CLOSED(context.fences), params };
}

/**
 * Closes the entry's attempt and those before it: from now on the store refuses what belongs to them and is not under
 * way yet. What is under way is killed or waited for next.
 */
export async function closeAttempts(
  context: SinkContext,
  entry: JournalEntry,
  signal: AbortSignal,
): Promise<void> {
  await context.client.command(
    `INSERT INTO ${context.fences} (range, attempt) VALUES ({range:String}, {attempt:UInt32})`,
    {
      route: route(context, 'close'),
      params: { range: queryPrefix(context, entry), attempt: entry.attempt },
      signal,
      settings: { insert_deduplicate: 0 },
    },
  );
}

/** The error, or where the store refused an attempt that was closed, a `RangeLostError`. */
export function asRangeLost(
  context: SinkContext,
  range: Pick<Range, 'lane' | 'from'>,
  error: unknown,
): unknown {
  if (!(error instanceof StoreError) || error.code !== REFUSED) return error;
  return new RangeLostError(queryPrefix(context, range), 'another owner has closed this attempt');
}
