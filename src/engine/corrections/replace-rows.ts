import { randomUUID } from 'node:crypto';
import { storedTable } from '../../platform/clickhouse/cluster-scope.ts';
import type { RowDelete, RowReplacement } from '../projection/correction.ts';
import { confirmAgain } from '../sink/confirm-range.ts';
import { cutBatch } from '../sink/cut-batch.ts';
import { insertBatch } from '../sink/insert-batch.ts';
import type { LeaseWatch } from '../sink/lease-watch.ts';
import { recountSteps } from '../sink/recount-steps.ts';
import { toEntry } from '../sink/recover-range.ts';
import { runRepairs } from '../sink/repairs.ts';
import { queryPrefix, route, type SinkContext } from '../sink/sink-context.ts';
import { positionColumn } from '../sink/sink-definition.ts';
import { STEP_ROWS } from '../sink/step-rows.ts';

/** The step of a replacement. */
export interface StepPlace {
  readonly position: number;
  readonly epoch: number;
  /** Differs in each call. */
  readonly from: number;
  /** Of a projection in chain order. */
  readonly partition?: number;
}

/**
 * Replaces rows of a confirmed step, counts the step and confirms it again: a look-up index reads its rows again then. It
 * can be repeated after it was cut off, if statements of the earlier run have ended. At the end, all is on the disk.
 */
export async function replaceRows(
  context: SinkContext,
  { position, epoch, from, partition }: StepPlace,
  { deletes, tables, deletesAfter = [] }: RowReplacement,
  watch: LeaseWatch,
): Promise<void> {
  const { client, database, definition } = context;
  const step = `${positionColumn(definition)} = ${position}`;
  const deleteRows = async ({ table, where }: RowDelete) => {
    watch.check();
    await client.command(`DELETE FROM ${storedTable(client, database, table)} WHERE ${step} AND (${where})`, {
      route: route(context, `delete/${table}`),
      queryId: `${queryPrefix(context, { lane: 0, from })}delete:${table}:${randomUUID()}`,
      settings: { lightweight_deletes_sync: 2 },
      signal: watch.signal,
    });
  };
  for (const rows of deletes) await deleteRows(rows);
  const range = { lane: 0, epoch, from, next: from + 1, firstPosition: position, lastPosition: position };
  const batch = cutBatch(definition, { ...range, tables });
  await insertBatch(context, batch, toEntry(definition, batch, 1), watch);
  for (const rows of deletesAfter) await deleteRows(rows);
  watch.check();
  // Sums have the deleted rows, too.
  await runRepairs(context, range, watch.signal);
  const landings = definition.landings.filter(({ landing }) => landing !== STEP_ROWS);
  const steps = [{ first: position, last: position }];
  await recountSteps(context, { ...definition, landings }, steps, partition);
  await confirmAgain(context, { position, partition }, watch.signal);
}
