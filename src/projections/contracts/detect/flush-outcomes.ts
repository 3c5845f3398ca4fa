import { metaDatabase } from '../../../platform/clickhouse/migrations/database-names.ts';
import { encodeNativeBlock, type NativeTable } from '../../../platform/clickhouse/native-format.ts';
import type { DetectionStore } from './detection.ts';

type Rows = NativeTable & { reset(): void };

/** Writes outcomes and the keys by which they are found, and empties both. */
export async function flushOutcomes(
  { client, network }: DetectionStore,
  keys: Rows,
  outcomes: Rows,
): Promise<void> {
  if (outcomes.rows === 0) return;
  // Keys first: an account with an outcome is not examined again.
  for (const table of [keys, outcomes]) {
    const target = `${metaDatabase(network)}.${table.name}`;
    if (table.rows > 0)
      await client.insertNative(target, encodeNativeBlock(table), { route: 'contracts/detections' });
    table.reset();
  }
}
