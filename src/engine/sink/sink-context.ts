import type { JournalEntry } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import type { Repair } from './repairs.ts';
import { positionColumn, type SinkDefinition } from './sink-definition.ts';

/** Context shared by the parts of a sink. */
export interface SinkContext {
  readonly client: StoreClient;
  /** Database of the projection version. */
  readonly database: string;
  /** Table of closed attempts, qualified (`getFencesTable`). */
  readonly fences: string;
  /** Consumer group of the stage. */
  readonly group: string;
  readonly definition: SinkDefinition;
  readonly repairs: readonly Repair[];
  /** Partition of a projection in chain order that this sink writes; absent where lanes have rows of their own. */
  readonly partition?: number;
  /** Present if each owner has its own group of batches: identifies the latest owner. */
  readonly tenure?: Tenure;
  /** True if the landing tables refuse closed attempts (`gateLandings`). */
  readonly isGated?: boolean;
  /** Landing tables inserted at the same time. */
  readonly concurrency: number;
  /** Begins to time an insert into a landing table; its answer ends it. */
  readonly timeInsert?: ((table: string) => () => void) | undefined;
  readonly log: (message: string, facts: Readonly<Record<string, unknown>>) => void;
}

/** One owner's time with some rows; every statement of an earlier one is refused once a later one has begun. */
export interface Tenure {
  readonly name: string;
  /** Grows from owner to owner. */
  readonly generation: number;
}

export type Range = Pick<JournalEntry, 'lane' | 'from' | 'firstPosition' | 'lastPosition'>;

/** Prefix of the ids of all insert queries into the database. */
export function databasePrefix({ database }: SinkContext): string {
  return `${database}:`;
}

/**
 * Prefix of the ids of all insert queries of a range, whatever the attempt. The database is part of it: other
 * networks, and the next version during a replay, use the same lanes and offsets.
 */
export function queryPrefix(context: SinkContext, range: Pick<Range, 'lane' | 'from'>): string {
  return `${databasePrefix(context)}${context.group}:${range.lane}:${range.from}:`;
}

/** Condition of the range's rows in a counted target: its positions, and the sink's partition if it has partitions. */
export function rangeRows(context: SinkContext): string {
  const position = positionColumn(context.definition);
  const partition = context.partition === undefined ? '' : ` AND part = ${context.partition}`;
  return `${position} BETWEEN {first:UInt32} AND {last:UInt32}${partition}`;
}

export function route(context: SinkContext, step: string): string {
  return `sink/${context.group}/${step}`;
}
