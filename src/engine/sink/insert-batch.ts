import type { JournalEntry } from '../../log/port.ts';
import { encodeNativeBlock, type NativeTable } from '../../platform/clickhouse/native-format.ts';
import type { Batch } from './batch.ts';
import { queryPrefix, route, type SinkContext } from './sink-context.ts';
import { landingTable } from './sink-definition.ts';

async function insertTable(
  context: SinkContext,
  table: NativeTable,
  entry: JournalEntry,
  signal: AbortSignal,
): Promise<void> {
  const id = `${queryPrefix(context, entry)}a${entry.attempt}:${table.name}`;
  await context.client.insertNative(
    `${context.database}.${landingTable(table.name)}`,
    encodeNativeBlock(table),
    { route: route(context, table.name), queryId: id, token: id, signal },
  );
}

/**
 * Inserts every landing table that has rows, a few at a time. When one fails the others are awaited before the
 * error is thrown: nothing of this attempt is under way afterwards on this side.
 */
export async function insertBatch(
  context: SinkContext,
  batch: Batch,
  entry: JournalEntry,
  signal: AbortSignal,
): Promise<void> {
  // Largest first: the longest insert decides when the batch is done.
  const waiting = batch.tables.filter((table) => table.rows > 0).sort((a, b) => b.rows - a.rows);
  const failures: unknown[] = [];
  const worker = async () => {
    while (failures.length === 0) {
      const table = waiting.shift();
      if (!table) return;
      await insertTable(context, table, entry, signal).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: context.concurrency }, worker));
  if (failures.length > 0) throw failures[0];
}
