import type { JournalEntry } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import type { Repair } from './repairs.ts';
import { positionColumn, type SinkDefinition } from './sink-definition.ts';

/** What the parts of a sink share. */
export interface SinkContext {
  readonly client: StoreClient;
  /** Database of the projection version. */
  readonly database: string;
  /** Consumer group of the stage. */
  readonly group: string;
  readonly definition: SinkDefinition;
  readonly repairs: readonly Repair[];
  /** Partition of a projection in chain order that this sink writes; absent where lanes have rows of their own. */
  readonly partition?: number;
  /** Landing tables inserted at the same time. */
  readonly concurrency: number;
  readonly log: (message: string, facts: Readonly<Record<string, unknown>>) => void;
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

/** Which rows of a counted target are the range's: its positions, and the sink's partition where there are some. */
export function rangeRows(context: SinkContext): string {
  const position = positionColumn(context.definition);
  const partition = context.partition === undefined ? '' : ` AND part = ${context.partition}`;
  return `${position} BETWEEN {first:UInt32} AND {last:UInt32}${partition}`;
}

export function route(context: SinkContext, step: string): string {
  return `sink/${context.group}/${step}`;
}
