import type { JournalEntry } from '../../log/port.ts';
import { encodeNativeBlock, type NativeTable } from '../../platform/clickhouse/native-format.ts';
import type { Batch } from './batch.ts';
import { asRangeLost, whileOpen } from './fence.ts';
import type { LeaseWatch } from './lease-watch.ts';
import { queryPrefix, route, type SinkContext } from './sink-context.ts';
import { landingTable } from './sink-definition.ts';

/** Rows beyond which an insert is large: at the head a step has some hundred of a table. */
const MANY_ROWS = 1_000;

async function insertTable(
  context: SinkContext,
  table: NativeTable,
  entry: JournalEntry,
  watch: LeaseWatch,
): Promise<void> {
  const id = `${queryPrefix(context, entry)}a${entry.attempt}:${table.name}`;
  const done = context.timeInsert?.(table.name);
  // A gate knows a statement's attempt by its id, and no tenure.
  const condition = context.isGated && !context.tenure ? null : whileOpen(context, entry);
  watch.check();
  try {
    await context.client.insertNative(
      `${context.database}.${landingTable(table.name)}`,
      whileChecked(table, watch),
      {
        route: route(context, table.name),
        queryId: id,
        token: id,
        ...(condition && { input: { columns: table.columns, condition } }),
        signal: watch.signal,
        isLarge: table.rows > MANY_ROWS,
      },
    );
  } catch (error) {
    watch.check();
    throw asRangeLost(context, entry, error);
  } finally {
    done?.();
  }
}

/** The table's block, piece by piece: a process that was stopped in between sends no more of it. */
function* whileChecked(table: NativeTable, watch: LeaseWatch): Generator<Uint8Array> {
  for (const part of encodeNativeBlock(table)) {
    watch.check();
    yield part;
  }
}

/**
 * Inserts every landing table that has rows, a few at a time. When one fails the others are awaited before the
 * error is thrown: nothing of this attempt is under way afterwards on this side.
 */
export async function insertBatch(
  context: SinkContext,
  batch: Batch,
  entry: JournalEntry,
  watch: LeaseWatch,
): Promise<void> {
  // Largest first: the longest insert decides when the batch is done.
  const waiting = batch.tables.filter((table) => table.rows > 0).sort((a, b) => b.rows - a.rows);
  const failures: unknown[] = [];
  const worker = async () => {
    while (failures.length === 0) {
      const table = waiting.shift();
      if (!table) return;
      await insertTable(context, table, entry, watch).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: context.concurrency }, worker));
  if (failures.length > 0) throw failures[0];
}
