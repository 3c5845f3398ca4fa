import type { GroupLag, LogIdentity } from '../../log/port.ts';
import { nextOfFeed } from '../feed/next-of-feed.ts';
import type { TableProjection } from '../projection/projection.ts';
import type { ProjectionReport } from './version-report.ts';

/** A topic fed from rows of a projection, and its lag. */
export interface FeedReport {
  readonly topic: string;
  /** Projection whose rows it is made of. */
  readonly projection: string;
  /** Last masterchain step of the projection that is confirmed; null: none is. */
  readonly confirmed: number | null;
  /** Steps that are confirmed and not appended yet: the lag of the topic's readers does not include them. */
  readonly waiting: number;
}

/** Facts of one moment: `lag` of the log, `reports` of the store. */
export interface FeedSources {
  readonly lag: readonly GroupLag[];
  readonly reports: readonly ProjectionReport[];
  readonly identity: Pick<LogIdentity, 'epochSize'>;
}

/** Feeds whose topic has readers; the readers' lag shows the topic's end. */
export function feedReports(
  projections: readonly TableProjection[],
  { lag, reports, identity }: FeedSources,
): FeedReport[] {
  return projections.flatMap(({ name, feeds }) => {
    const reader = lag.find(({ topic, isPartition }) => topic === feeds?.topic && isPartition);
    if (!feeds || !reader) return [];
    const visible = reports.find(({ projection }) => projection === name)?.visible ?? null;
    const waiting = visible ? visible.last + 1 - nextOfFeed(reader.end || null, visible, identity, feeds) : 0;
    // The log was asked a moment after the store: it may be further.
    return [
      {
        topic: feeds.topic,
        projection: name,
        confirmed: visible?.last ?? null,
        waiting: Math.max(0, waiting),
      },
    ];
  });
}
