import { encodeNativeBlock } from '../../platform/clickhouse/native-format.ts';
import type { DeadLetter } from '../dead-letters/dead-letter-list.ts';
import { type ChunkDecoder, isFailure } from '../decoding/chunk.ts';
import { inputLandings, type TableProjection } from '../projection/projection.ts';
import type { StoreDatabase } from '../projection/stored-input.ts';

/**
 * Adds the blocks that could not be decoded before and can be now: they are not among the linked ones. May be called
 * twice.
 */
export async function writeDeadLetterBlocks(
  store: StoreDatabase,
  projection: TableProjection,
  deadLetters: readonly DeadLetter[],
  decoder: ChunkDecoder,
): Promise<void> {
  const landings = inputLandings(projection);
  if (landings.length === 0) return;
  for (const { key, record } of deadLetters) {
    const position = Number(record.headers.position);
    if (await projection.input.has(store, key, position)) continue;
    const chunk = await decoder.decode([{ key, position, value: record.value }]);
    const start = { ...store, partition: 0, partitions: 1, next: position };
    const rows = projection.begin(start).createRowSet();
    for (const parts of chunk.parts) rows.append(parts);
    chunk.release();
    if (chunk.outcomes.some(isFailure)) continue;
    for (const table of rows.tables.filter(({ name, rows: count }) => landings.includes(name) && count > 0))
      await store.client.insertNative(`${store.database}.${table.name}`, encodeNativeBlock(table), {
        route: 'replay/dead-letters',
      });
  }
}

/** Dead letters whose block a version has. */
export async function settledDeadLetters(
  store: StoreDatabase,
  { input }: TableProjection,
  deadLetters: readonly DeadLetter[],
): Promise<readonly DeadLetter[]> {
  const settled: DeadLetter[] = [];
  for (const deadLetter of deadLetters)
    if (await input.has(store, deadLetter.key, Number(deadLetter.record.headers.position)))
      settled.push(deadLetter);
  return settled;
}
