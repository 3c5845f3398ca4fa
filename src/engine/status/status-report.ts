import type { Bus, GroupLag, LogIdentity, SealedRange, SealingBus } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { type DetachedPart, detachedParts } from '../../platform/clickhouse/detached-parts.ts';
import {
  readTableSizes,
  readVolumeBytes,
  type TableSize,
  type VolumeBytes,
} from '../../platform/clickhouse/table-sizes.ts';
import { readColdRanges } from '../cold/cold-epochs.ts';
import { DeadLetterCount } from '../dead-letters/dead-letter-count.ts';
import type { TableProjection } from '../projection/projection.ts';
import type { PositionRange } from '../ranges/position-ranges.ts';
import { begunProjections } from '../versions/begun-projections.ts';
import { servedDatabase } from '../versions/prepare-store.ts';
import { isStoreMade } from '../versions/require-store.ts';
import { getDatabase } from '../versions/version-names.ts';
import { readVisible } from '../watermark/visible-span.ts';
import { type FeedReport, feedReports } from './feed-report.ts';
import { readGroupLag } from './group-lag.ts';
import { type LogCheckNote, readLogCheckNote } from './log-check-note.ts';
import { type RawMoveNote, readRawMoveNote } from './raw-move-note.ts';
import { type ProjectionReport, projectionReport } from './version-report.ts';

interface TableReport {
  readonly table: string;
  readonly rows: number;
  readonly bytes: number;
  /** Those of `bytes` that are on the cold volume. */
  readonly cold_bytes: number;
  /** Bytes on disk for each transaction of the index. */
  readonly bytes_per_transaction: number | null;
}

/** Output of `status --json`. */
export interface StatusReport {
  readonly network: string;
  readonly id: string;
  /** Logical time at which the index starts, by shard: `--start-lt` of ranges that are joined to it. */
  readonly start_lt: string;
  readonly database: string;
  readonly projections: readonly ProjectionReport[];
  /** Confirmed masterchain range that answers come from; null while nothing is. */
  readonly visible: { readonly first: number; readonly last: number } | null;
  readonly log: {
    readonly records: number;
    readonly bytes: number;
    /** Sealed files of blocks, by epoch; null for a log on Kafka. */
    readonly sealed: readonly SealedRange[] | null;
    /** The last move of sealed files; null if there was none. */
    readonly moved: RawMoveNote | null;
    /** The last `verify --log`; null if there was none. */
    readonly checked: LogCheckNote | null;
  };
  /** Where raw blocks are. */
  readonly blocks: BlocksReport;
  /** Who holds the lease to write blocks to the log, and the ISO time of its end; null: nobody. */
  readonly writer: { readonly owner: string; readonly expires_at: string } | null;
  /** Parts that the store put aside: their rows are in no answer. */
  readonly detached_parts: readonly DetachedPart[];
  readonly lag: readonly GroupLag[];
  /** Topics that projections feed. */
  readonly feeds: readonly FeedReport[];
  readonly dead_letters: number;
  readonly tables: readonly TableReport[];
  /** Bytes on the two volumes, of the served versions of all projections. */
  readonly volumes: VolumeBytes;
  readonly bytes_per_transaction: number | null;
}

/** Masterchain ranges of raw blocks. */
export interface BlocksReport {
  /** In the store; null if it has none. */
  readonly hot: PositionRange | null;
  /** In sealed files of the log only. */
  readonly cold: readonly PositionRange[];
}

export interface StatusParts {
  readonly bus: Bus;
  /** The bus of a log in the data directory. */
  readonly sealing?: SealingBus;
  readonly client: StoreClient;
  readonly identity: LogIdentity;
  /** Data directory: it keeps the note of the last check of the log. */
  readonly directory: string;
}

/**
 * Head, lag, dead letters and sizes. `main`: the projection whose tables answers come from. Nothing is changed.
 * @throws OlderStoreError
 */
export async function statusReport(
  parts: StatusParts,
  projections: readonly TableProjection[],
  main: TableProjection,
): Promise<StatusReport> {
  const { bus, identity, directory } = parts;
  const bounds = await bus.bounds(main.reads).catch(() => []);
  const store = (await isStoreMade(parts.client, identity, projections))
    ? await storeReport(parts, projections, main)
    : { ...NO_STORE, database: getDatabase(identity, main) };
  const lag = await readGroupLag(bus);
  return {
    network: identity.network,
    id: identity.id,
    start_lt: identity.facts.made_start_lt ?? identity.facts.start_lt ?? '0',
    ...store,
    log: {
      records: bounds.reduce((sum, { first, next }) => sum + next - first, 0),
      bytes: await bus.size(),
      sealed: (await parts.sealing?.sealed(main.reads)) ?? null,
      moved: readRawMoveNote(directory),
      checked: readLogCheckNote(directory),
    },
    writer: await writerReport(bus, main.reads),
    lag,
    feeds: feedReports(projections, { lag, reports: store.projections, identity }),
    dead_letters: await new DeadLetterCount(bus).read(),
  };
}

async function writerReport(bus: Bus, topic: string): Promise<StatusReport['writer']> {
  const lease = await bus.writerLease(topic);
  return lease && { owner: lease.owner, expires_at: new Date(lease.expiresAt).toISOString() };
}

type StoreReport = Pick<
  StatusReport,
  | 'database'
  | 'projections'
  | 'visible'
  | 'blocks'
  | 'detached_parts'
  | 'tables'
  | 'volumes'
  | 'bytes_per_transaction'
>;

const NO_STORE: Omit<StoreReport, 'database'> = {
  projections: [],
  visible: null,
  blocks: { hot: null, cold: [] },
  detached_parts: [],
  tables: [],
  volumes: { hot_bytes: 0, cold_bytes: 0 },
  bytes_per_transaction: null,
};

async function storeReport(
  { client, identity }: StatusParts,
  projections: readonly TableProjection[],
  main: TableProjection,
): Promise<StoreReport> {
  const database = await servedDatabase(client, identity, main);
  const begun = await begunProjections(client, identity, projections);
  const served = await Promise.all(begun.map((projection) => servedDatabase(client, identity, projection)));
  const volumes = await readVolumeBytes(client, served);
  const tables = await readTableSizes(client, database);
  const transactions = Number(tables.find(({ table }) => table === 'transactions')?.rows ?? 0n);
  const bytes = tables.reduce((sum, { bytesOnDisk }) => sum + Number(bytesOnDisk), 0);
  return {
    database,
    projections: await Promise.all(
      begun.map((projection) => projectionReport({ client, identity, projection })),
    ),
    visible: await readVisible(client, database, identity.facts.continuity),
    blocks: {
      hot: (await main.input.cold?.extent({ client, database })) ?? null,
      cold: await readColdRanges(client, identity),
    },
    detached_parts: await detachedParts(client, database),
    tables: tables.map((size) => ({
      ...tableReport(size, transactions),
      cold_bytes: volumes.get(`${database}.${size.table}`)?.cold_bytes ?? 0,
    })),
    volumes: sumVolumes([...volumes.values()]),
    bytes_per_transaction: perTransaction(bytes, transactions),
  };
}

function sumVolumes(all: readonly VolumeBytes[]): VolumeBytes {
  const sum = (of: keyof VolumeBytes) => all.reduce((total, one) => total + one[of], 0);
  return { hot_bytes: sum('hot_bytes'), cold_bytes: sum('cold_bytes') };
}

function tableReport({ table, rows, bytesOnDisk }: TableSize, transactions: number) {
  const bytes = Number(bytesOnDisk);
  return { table, rows: Number(rows), bytes, bytes_per_transaction: perTransaction(bytes, transactions) };
}

function perTransaction(bytes: number, transactions: number): number | null {
  return transactions === 0 ? null : Math.round((bytes / transactions) * 10) / 10;
}
