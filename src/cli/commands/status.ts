import type { Command } from 'commander';
import { BASE } from '../../../pipelines/base.ts';
import { PROJECTIONS } from '../../../pipelines/projections.ts';
import { RAW_BLOCKS } from '../../../pipelines/raw-blocks.ts';
import { openDeadLetters } from '../../engine/dead-letters/dead-letter-list.ts';
import { type ProjectionReport, projectionReport } from '../../engine/status/version-report.ts';
import { prepareStore, servedDatabase } from '../../engine/versions/prepare-store.ts';
import { readVisible } from '../../engine/watermark/visible-span.ts';
import type { GroupLag } from '../../log/port.ts';
import { type DetachedPart, detachedParts } from '../../platform/clickhouse/detached-parts.ts';
import { readTableSizes, type TableSize } from '../../platform/clickhouse/table-sizes.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { openLog, requireIdentity } from '../compose/data-directory.ts';
import { type LogCheckNote, readLogCheckNote } from '../compose/log-check-note.ts';
import { openSessionStore } from '../compose/store.ts';
import { EXIT } from '../exit-codes.ts';
import { runSession } from '../session.ts';
import { STORE_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';

/** `tonhouse status`: head, lag of each stage and lane, dead letters, sizes. */
export function statusCommand(command: Command, exit: (code: number) => void): void {
  command
    .option('--json', 'print one JSON object')
    .action(async (flags: Record<string, unknown>) => exit(await status(flags)));
  addSettings(command, STORE_SETTINGS);
}

interface TableReport {
  readonly table: string;
  readonly rows: number;
  readonly bytes: number;
  /** Bytes on disk for each transaction of the index. */
  readonly bytes_per_transaction: number | null;
}

/** What `status --json` prints. */
export interface StatusReport {
  readonly network: string;
  readonly id: string;
  readonly database: string;
  readonly projections: readonly ProjectionReport[];
  /** Confirmed masterchain range that answers come from; null while nothing is. */
  readonly visible: { readonly first: number; readonly last: number } | null;
  readonly log: {
    readonly records: number;
    readonly bytes: number;
    /** The last `verify --log`; null where there was none. */
    readonly checked: LogCheckNote | null;
  };
  /** Parts that the store put aside: their rows are in no answer. */
  readonly detached_parts: readonly DetachedPart[];
  readonly lag: readonly GroupLag[];
  readonly dead_letters: number;
  readonly tables: readonly TableReport[];
  readonly bytes_per_transaction: number | null;
}

async function status(flags: Record<string, unknown>): Promise<number> {
  const settings = resolveSettings(STORE_SETTINGS, flags);
  return runSession(flags, async (session) => {
    const log = await openLog(settings.data, session, settings);
    const identity = await requireIdentity(log);
    const client = await openSessionStore(log.directory, settings, session);
    await prepareStore(client, identity, PROJECTIONS);
    const database = await servedDatabase(client, identity, BASE);
    const tables = await readTableSizes(client, database);
    const transactions = Number(tables.find(({ table }) => table === 'transactions')?.rows ?? 0n);
    const bounds = await log.bus.bounds(RAW_BLOCKS).catch(() => []);
    const report: StatusReport = {
      network: identity.network,
      id: identity.id,
      database,
      projections: await Promise.all(
        PROJECTIONS.map((projection) => projectionReport({ client, identity, projection })),
      ),
      visible: await readVisible(client, database, identity.facts.continuity),
      log: {
        records: bounds.reduce((sum, { first, next }) => sum + next - first, 0),
        bytes: await log.bus.size(),
        checked: readLogCheckNote(log.directory),
      },
      detached_parts: await detachedParts(client, database),
      lag: await log.bus.lag(),
      dead_letters: (await openDeadLetters(log.bus)).length,
      tables: tables.map((size) => tableReport(size, transactions)),
      bytes_per_transaction: perTransaction(
        tables.reduce((sum, { bytesOnDisk }) => sum + Number(bytesOnDisk), 0),
        transactions,
      ),
    };
    process.stdout.write(flags.json ? `${JSON.stringify(report)}\n` : text(report));
    return EXIT.ok;
  });
}

function tableReport({ table, rows, bytesOnDisk }: TableSize, transactions: number): TableReport {
  const bytes = Number(bytesOnDisk);
  return { table, rows: Number(rows), bytes, bytes_per_transaction: perTransaction(bytes, transactions) };
}

function perTransaction(bytes: number, transactions: number): number | null {
  return transactions === 0 ? null : Math.round((bytes / transactions) * 10) / 10;
}

function text(report: StatusReport): string {
  const { visible } = report;
  const lines = [
    `network        ${report.network}`,
    `database       ${report.database}`,
    ...report.projections.map(projectionLine),
    `masterchain    ${visible ? `${visible.first} to ${visible.last}` : 'nothing indexed'}`,
    `log            ${report.log.records} records, ${megabytes(report.log.bytes)}`,
    `log checked    ${checkedText(report.log.checked)}`,
    ...(report.detached_parts.length > 0
      ? [
          `damaged        ${report.detached_parts.length} parts were put aside by the store: \`tonhouse verify --repair\``,
        ]
      : []),
    `dead letters   ${report.dead_letters}`,
    '',
    'stage          lane   committed        end    lag  owner',
    ...report.lag.map(
      ({ group, lane, committed, end, owner }) =>
        `${group.padEnd(14)} ${pad(lane, 4)} ${pad(committed, 11)} ${pad(end, 10)} ${pad(end - committed, 6)}  ${owner ?? '–'}`,
    ),
    '',
    'table                                rows         size  bytes/transaction',
    ...report.tables.map(
      ({ table, rows, bytes, bytes_per_transaction }) =>
        `${table.padEnd(28)} ${pad(rows, 12)} ${megabytes(bytes).padStart(12)} ${pad(bytes_per_transaction ?? '–', 18)}`,
    ),
    `all tables ${pad(report.bytes_per_transaction ?? '–', 61)}`,
  ];
  return `${lines.join('\n')}\n`;
}

function projectionLine({
  projection,
  served_version,
  served_code,
  code,
  needs_replay,
}: ProjectionReport): string {
  const built = `version ${served_version}, built by decoder ${served_code}; this is decoder ${code}`;
  return `${projection.padEnd(14)} ${built}${needs_replay ? `: \`tonhouse replay ${projection}\`` : ''}`;
}

function checkedText(note: LogCheckNote | null): string {
  if (!note) return 'never: `tonhouse verify --log`';
  return `${note.at}: ${note.records} records, ${note.problems} problems`;
}

const pad = (value: number | string, width: number): string => String(value).padStart(width);
const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
