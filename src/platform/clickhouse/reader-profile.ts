import { QUERY_DEFAULTS } from './client-options.ts';
import { SECRETS_PREFIX } from './secrets-prefix.ts';

/** User that only reads: the API's. */
export const READER = 'tonhouse_reader';

/** Maximum of `--query-timeout-ms`, seconds. */
const MAX_SECONDS = 600;
/** More of an answer than this goes through a file of the server. */
const MAX_BUFFERED_BYTES = 4 * 1024 ** 2;

/** Settings that bound a statement of the reader: it may ask for less, and never for 0, which means no limit. */
const LIMITS = {
  max_execution_time: { value: QUERY_DEFAULTS.timeoutMs / 1000, min: 0.001, max: MAX_SECONDS },
  max_memory_usage: {
    value: QUERY_DEFAULTS.maxMemoryBytes,
    min: 1,
    max: QUERY_DEFAULTS.maxMemoryBytes,
  },
  max_result_rows: { value: QUERY_DEFAULTS.maxRows, min: 1, max: QUERY_DEFAULTS.maxRows },
  max_result_bytes: { value: QUERY_DEFAULTS.maxResultBytes, min: 1, max: QUERY_DEFAULTS.maxResultBytes },
  max_query_size: { value: 2 ** 18, min: 1, max: 2 ** 20 },
  http_response_buffer_size: { value: MAX_BUFFERED_BYTES, min: 1, max: MAX_BUFFERED_BYTES },
} as const;

/** Settings that a statement of the reader may give as it likes: none of them lifts a limit. */
const FREE = [
  'log_comment',
  'async_insert',
  'session_timezone',
  'timeout_overflow_mode',
  'result_overflow_mode',
  'output_format_json_quote_64bit_integers',
  'output_format_parallel_formatting',
  'cancel_http_readonly_queries_on_client_close',
  'max_threads',
  'max_rows_to_read',
  'enable_analyzer',
  'use_query_cache',
  'query_plan_optimize_lazy_materialization',
  'use_top_k_dynamic_filtering',
  'distributed_foreground_insert',
  'insert_deduplicate',
  'parallel_distributed_insert_select',
  'distributed_product_mode',
  'optimize_skip_unused_shards',
] as const;

/** Databases that the reader cannot read: the server's, which shows users and statements of others, and those of secrets. */
const HIDDEN = ['system', `${SECRETS_PREFIX}*`];

/**
 * Columns of `system.parts` that the view `information_schema.tables` reads to compute `index_length`. The server
 * filters the rows of this table, as it filters `information_schema`: a user sees the tables that it can read.
 */
const PARTS_COLUMNS = [
  'database',
  'table',
  'active',
  'primary_key_size',
  'marks_bytes',
  'secondary_indices_compressed_bytes',
  'secondary_indices_marks_bytes',
] as const;

/**
 * Rights of the reader: SELECT from tables, and from `information_schema`, where BI tools find tables and columns. Table
 * functions for files, addresses and other servers need separate rights (READ ON FILE, URL, REMOTE, S3 …), and so do
 * temporary tables, KILL and SYSTEM: none is granted.
 */
const GRANTS = [
  'GRANT SELECT ON *.*',
  ...HIDDEN.map((database) => `REVOKE SELECT ON ${database}.*`),
  `GRANT SELECT(${PARTS_COLUMNS.join(', ')}) ON system.parts`,
];

/** The profile of the reader in ClickHouse's user configuration. `more`: additional settings. */
export function readerProfileXml(more: Readonly<Record<string, string | number>> = {}): string {
  const values = Object.entries(LIMITS).map(([name, { value }]) => [name, value] as const);
  const settings = [['readonly', 1], ...values, ...Object.entries(more)].map(
    ([name, value]) => `      <${name}>${value}</${name}>`,
  );
  const bounds = Object.entries(LIMITS).map(
    ([name, { min, max }]) =>
      `        <${name}><min>${min}</min><max>${max}</max><changeable_in_readonly/></${name}>`,
  );
  const free = FREE.map((name) => `        <${name}><changeable_in_readonly/></${name}>`);
  return `    <${READER}>
${settings.join('\n')}
      <constraints>
${[...bounds, ...free].join('\n')}
      </constraints>
    </${READER}>
`;
}

/** The reader's user entry. `password`: its password element; `network`: allowed addresses. */
export function readerUserXml(password: string, network: string): string {
  const grants = GRANTS.map((grant) => `        <query>${grant}</query>`);
  return `    <${READER}>
      ${password}
      <networks><ip>${network}</ip></networks>
      <profile>${READER}</profile>
      <quota>default</quota>
      <grants>
${grants.join('\n')}
      </grants>
    </${READER}>
`;
}

/** Text of `clickhouse/reader.xml`, which creates the reader on your own server, in its folder `users.d`. */
export function readerFileXml(): string {
  return `<!-- User ${READER} of a ClickHouse server, for \`tonhouse serve\`; made by scripts/generate-reader-xml.ts. -->
<clickhouse>
  <profiles>
${readerProfileXml({ session_timezone: 'UTC', http_max_field_value_size: 16_777_216 })}  </profiles>
  <users>
${readerUserXml('<password from_env="CLICKHOUSE_READ_PASSWORD"/>', '::/0')}  </users>
</clickhouse>
`;
}
