import { isAbort, type RecordBatch } from './record-batch.ts';

/** An aborted transaction: its producer's records from here to its marker do not count. */
export interface AbortedTransaction {
  readonly producerId: number;
  readonly firstOffset: number;
}

/** The batches that a reader of committed data may see, in order: no markers, nothing of aborted transactions. */
export function committedBatches(
  batches: readonly RecordBatch[],
  aborted: readonly AbortedTransaction[],
): RecordBatch[] {
  const ahead = [...aborted].sort((a, b) => a.firstOffset - b.firstOffset);
  const within = new Set<number>();
  return batches.filter((batch) => {
    while (ahead[0] && ahead[0].firstOffset <= batch.lastOffset)
      within.add((ahead.shift() as AbortedTransaction).producerId);
    if (batch.control) {
      if (isAbort(batch)) within.delete(batch.producerId);
      return false;
    }
    return !(batch.transactional && within.has(batch.producerId));
  });
}
