import { buildDashboard, type Panel, PROMETHEUS } from './dashboard.ts';

/** Panels of the pipeline: title, expression in PromQL, legend and unit. */
const PANELS: readonly (readonly [title: string, expr: string, legend: string, unit?: string])[] = [
  ['Age of the newest visible block', 'max(tonhouse_head_lag_seconds)', 'head', 's'],
  [
    'Transactions a second',
    'sum by (projection) (rate(tonhouse_indexed_transactions_total[1m]))',
    '{{projection}}',
  ],
  [
    'Records to read, by projection',
    'sum by (projection) (max by (projection, group, lane) (tonhouse_lag_records))',
    '{{projection}}',
  ],
  ['Steps behind base', 'max by (projection) (tonhouse_projection_steps_behind)', '{{projection}}'],
  ['Lanes without a process', 'count(max by (group, lane) (tonhouse_lane_owned) == 0) or vector(0)', 'lanes'],
  ['Open dead letters', 'max(tonhouse_dead_letters_open)', 'open'],
  [
    'Problems found by the continuous proof',
    'max by (projection) (tonhouse_integrity_problems)',
    '{{projection}}',
  ],
  ['Bytes of the log', 'max(tonhouse_log_bytes)', 'log', 'bytes'],
  [
    'Bytes of the store',
    'sum by (projection) (max by (projection, database, table) (tonhouse_store_bytes))',
    '{{projection}}',
    'bytes',
  ],
  [
    'Parts of the store',
    'sum by (projection) (max by (projection, database, table) (tonhouse_store_parts))',
    '{{projection}}',
  ],
  [
    'Inserts, 99th percentile',
    'histogram_quantile(0.99, sum by (le, projection) (rate(tonhouse_store_insert_duration_seconds_bucket[5m])))',
    '{{projection}}',
    's',
  ],
  [
    'Queries, 99th percentile',
    'histogram_quantile(0.99, sum by (le, route) (rate(tonhouse_store_query_duration_seconds_bucket[5m])))',
    '{{route}}',
    's',
  ],
  [
    'Requests of the API a second',
    'sum by (status) (rate(tonhouse_http_requests_total[1m]))',
    '{{status}}',
    'reqps',
  ],
  [
    'Answers of the API, 99th percentile',
    'histogram_quantile(0.99, sum by (le, route) (rate(tonhouse_http_request_duration_seconds_bucket[5m])))',
    '{{route}}',
    's',
  ],
  ['Statements of answers', 'sum by (state) (tonhouse_api_statements)', '{{state}}'],
  ['Memory of the processes', 'sum by (instance) (process_resident_memory_bytes)', '{{instance}}', 'bytes'],
];

/** The dashboard of the pipeline: lag, dead letters, store and API. */
export function pipelineDashboard(): string {
  return buildDashboard({
    uid: 'tonhouse-pipeline',
    title: 'TON: the pipeline',
    from: 'now-1h',
    panels: PANELS.map(
      ([title, expr, legendFormat, unit]): Panel => ({
        title,
        type: 'timeseries',
        datasource: PROMETHEUS,
        targets: [{ refId: 'A', datasource: PROMETHEUS, expr, legendFormat }],
        ...(unit !== undefined && { unit }),
      }),
    ),
  });
}
