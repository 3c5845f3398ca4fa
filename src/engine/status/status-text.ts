import { printable } from '../../platform/observability/printable.ts';
import type { FeedReport } from './feed-report.ts';
import type { LogCheckNote } from './log-check-note.ts';
import type { StatusReport } from './status-report.ts';
import type { ProjectionReport } from './version-report.ts';

/** The report for people. */
export function statusText(report: StatusReport): string {
  const { visible, volumes } = report;
  const hasCold = volumes.cold_bytes > 0;
  const lines = [
    `network        ${report.network}`,
    `database       ${report.database}`,
    ...report.projections.map(projectionLine),
    ...(report.projections.length === 0
      ? ['store          nothing is made yet: no stage has written to it']
      : []),
    `masterchain    ${visible ? `${visible.first} to ${visible.last}` : 'nothing indexed'}`,
    `start lt       ${report.start_lt}`,
    ...blockLines(report.blocks),
    ...(hasCold
      ? [
          `volumes        ${megabytes(volumes.hot_bytes)} hot, ${megabytes(volumes.cold_bytes)} cold, of all projections`,
        ]
      : []),
    `log            ${report.log.records} records, ${megabytes(report.log.bytes)}`,
    ...sealedLines(report.log.sealed),
    ...movedLines(report.log),
    `log checked    ${checkedText(report.log.checked)}`,
    `writer         ${writerText(report.writer)}`,
    ...(report.detached_parts.length > 0
      ? [
          `damaged        ${report.detached_parts.length} parts were put aside by the store: \`tonhouse verify --repair\``,
        ]
      : []),
    `dead letters   ${report.dead_letters}`,
    '',
    'stage          lane   committed        end    lag  owner',
    ...report.lag.map(
      ({ group, lane, committed, end, owner, isPartition }) =>
        `${group.padEnd(14)} ${pad(isPartition ? `p${lane}` : lane, 4)} ${pad(committed, 11)} ${pad(end, 10)} ${pad(end - committed, 6)}  ${printable(owner ?? '–')}`,
    ),
    ...(report.lag.some(({ isPartition }) => isPartition)
      ? ['p0 and so on are partitions, which count masterchain steps; lanes count records']
      : []),
    ...report.feeds.map(feedLine),
    '',
    `table                                rows         size  bytes/transaction${hasCold ? '         cold' : ''}`,
    ...report.tables.map(
      ({ table, rows, bytes, bytes_per_transaction, cold_bytes }) =>
        `${table.padEnd(28)} ${pad(rows, 12)} ${megabytes(bytes).padStart(12)} ${pad(bytes_per_transaction ?? '–', 18)}${hasCold ? ` ${megabytes(cold_bytes).padStart(12)}` : ''}`,
    ),
    `all tables ${pad(report.bytes_per_transaction ?? '–', 61)}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** Only if some blocks are not in the store. */
function blockLines({ hot, cold }: StatusReport['blocks']): string[] {
  if (cold.length === 0) return [];
  const said = (ranges: readonly { readonly first: number; readonly last: number }[]) =>
    ranges.map(({ first, last }) => `${first} to ${last}`).join(', ');
  return [
    `blocks hot     ${hot ? `masterchain ${said([hot])}, in the store` : 'none in the store'}`,
    `blocks cold    masterchain ${said(cold)}, in sealed files only`,
  ];
}

function sealedLines(sealed: StatusReport['log']['sealed']): string[] {
  if (!sealed || sealed.length === 0) return [];
  const sum = (of: 'records' | 'bytes') => sealed.reduce((total, one) => total + one[of], 0);
  const first = Math.min(...sealed.map((one) => one.first));
  const last = Math.max(...sealed.map((one) => one.last));
  return [
    `log sealed     ${sum('records')} of these records in ${sealed.length} files, ${megabytes(sum('bytes'))}, masterchain ${first} to ${last}`,
    ...[...Map.groupBy(sealed, ({ folder }) => folder)].map(
      ([folder, files]) =>
        `               ${files.length} files in ${folder ?? 'no folder: they are gone'}, epochs ${files[0]?.epoch} to ${files.at(-1)?.epoch}`,
    ),
  ];
}

/** Only if the last move failed. */
function movedLines({ moved, sealed }: StatusReport['log']): string[] {
  if (!moved || moved.error === null) return [];
  const waiting = (sealed ?? []).filter(({ folder }) => folder !== moved.to).length;
  return [
    `log move       ${waiting} files wait to be moved to ${printable(moved.to)}: the move at ${moved.at} failed: ${printable(moved.error)}`,
  ];
}

function projectionLine({
  projection,
  served_version,
  served_code,
  code,
  needs_replay,
  visible,
  figures = {},
}: ProjectionReport): string {
  const built = `version ${served_version}, built by decoder ${served_code}; this is decoder ${code}`;
  const advice = needs_replay ? `: \`tonhouse replay ${projection}\`` : '';
  const has = visible ? `masterchain ${visible.first} to ${visible.last}` : 'nothing indexed';
  const parts = Object.entries(figures).map(([name, count]) => `, ${count} ${name}`);
  return `${projection.padEnd(14)} ${built}${advice}; ${has}${parts.join('')}`;
}

/** Readers of the topic have no lag by what is not in it yet. */
const feedLine = ({ topic, projection, waiting }: FeedReport): string =>
  `feed ${topic.padEnd(9)} ${waiting} confirmed steps of ${projection} wait to be appended`;

function checkedText(note: LogCheckNote | null): string {
  if (!note) return 'never: `tonhouse verify --log`';
  return `${note.at}: ${note.records} records, ${note.problems} problems`;
}

function writerText(writer: StatusReport['writer']): string {
  if (!writer) return 'nobody holds the lease of the log';
  return `held by ${printable(writer.owner)}, expires ${writer.expires_at} unless it is renewed`;
}

const pad = (value: number | string, width: number): string => String(value).padStart(width);
const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
