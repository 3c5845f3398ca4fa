/** User that runs the statements of analysts. */
export const ANALYST = 'tonhouse_analyst';

const GIB = 1024 ** 3;

/** Limits of one statement: a client may ask for less, and never for 0, which means no limit. */
const LIMITS: Readonly<Record<string, readonly [value: number, max: number]>> = {
  max_execution_time: [60, 600],
  max_memory_usage: [GIB, 2 * GIB],
  max_result_rows: [10_000_000, 1_000_000_000],
  max_result_bytes: [4 * GIB, 64 * GIB],
  max_query_size: [1_048_576, 1_048_576],
  max_threads: [2, 8],
  http_response_buffer_size: [1_048_576, 4_194_304],
  http_max_field_value_size: [1_048_576, 1_048_576],
};

/** Settings that no client changes. */
const FIXED: Readonly<Record<string, number | string>> = {
  readonly: 1,
  max_concurrent_queries_for_user: 16,
  max_memory_usage_for_user: 3 * GIB,
  max_temporary_data_on_disk_size_for_query: 4 * GIB,
  max_ast_elements: 100_000,
  max_ast_depth: 2_000,
  allow_ddl: 0,
  allow_introspection_functions: 0,
  cancel_http_readonly_queries_on_client_close: 1,
};

/** Settings that change answers, which clients may change. */
const ANSWERS: Readonly<Record<string, number | string>> = {
  join_use_nulls: 1,
  prefer_column_name_to_alias: 1,
  session_timezone: 'UTC',
  enable_join_runtime_filters_index_analysis: 1,
};

/** Settings that clients send, and none of which lifts a limit. */
const FREE = [
  'log_comment',
  'async_insert',
  'timeout_overflow_mode',
  'result_overflow_mode',
  'max_block_size',
  'max_rows_to_read',
  'max_bytes_to_read',
  'limit',
  'offset',
  'extremes',
  'use_client_time_zone',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
  'http_write_exception_in_output_format',
  'add_http_cors_header',
  'enable_http_compression',
  'http_zlib_compression_level',
  'date_time_output_format',
  'date_time_input_format',
  'group_by_use_nulls',
  'joined_subquery_requires_alias',
  'aggregate_functions_null_for_empty',
  'union_default_mode',
  'enable_analyzer',
  'distributed_product_mode',
  'output_format_json_quote_64bit_integers',
  'output_format_json_quote_64bit_floats',
  'output_format_json_quote_decimals',
  'output_format_json_quote_denormals',
  'output_format_json_named_tuples_as_objects',
  'output_format_native_encode_types_in_binary_format',
  'output_format_binary_write_json_as_string',
  'output_format_parallel_formatting',
  'output_format_arrow_string_as_string',
  'output_format_arrow_low_cardinality_as_dictionary',
  'output_format_arrow_compression_method',
  'output_format_arrow_fixed_string_as_fixed_byte_array',
  'output_format_parquet_string_as_string',
  'output_format_parquet_compression_method',
  'output_format_parquet_row_group_size',
  'output_format_parquet_fixed_string_as_fixed_byte_array',
  'output_format_decimal_trailing_zeros',
  'output_format_pretty_max_rows',
  'output_format_pretty_color',
  'format_csv_delimiter',
  'format_csv_null_representation',
  'format_tsv_null_representation',
  'format_binary_max_string_size',
] as const;

/** Tables in which tools find tables and columns. The server shows only those that the user may read. */
const METADATA = [
  'system.tables',
  'system.columns',
  'system.databases',
  'information_schema.*',
  'INFORMATION_SCHEMA.*',
];

/** Columns of `system.parts` that `information_schema.tables` reads to compute `index_length`. */
const PARTS_COLUMNS =
  'database, table, active, primary_key_size, marks_bytes, secondary_indices_compressed_bytes, secondary_indices_marks_bytes';

/** What the analyst may do: read the views of one database, and the metadata. */
export function analystGrants(lake: string): readonly string[] {
  return [
    `SELECT ON ${lake}.*`,
    ...METADATA.map((table) => `SELECT ON ${table}`),
    `SELECT(${PARTS_COLUMNS}) ON system.parts`,
  ];
}

/** The profile in ClickHouse's user configuration. */
export function analystProfileXml(more: Readonly<Record<string, number | string>> = {}): string {
  const values = [
    ...Object.entries({ ...FIXED, ...ANSWERS, ...more }),
    ...Object.entries(LIMITS).map(([name, [value]]) => [name, value] as const),
  ].map(([name, value]) => `      <${name}>${value}</${name}>`);
  const bounds = Object.entries(LIMITS).map(
    ([name, [, max]]) => `        <${name}><min>1</min><max>${max}</max><changeable_in_readonly/></${name}>`,
  );
  const free = [...Object.keys(ANSWERS), ...FREE].map(
    (name) => `        <${name}><changeable_in_readonly/></${name}>`,
  );
  return `    <${ANALYST}>
${values.join('\n')}
      <constraints>
${[...bounds, ...free].join('\n')}
      </constraints>
    </${ANALYST}>
`;
}

/** Statements of one caller in an hour, and their seconds: each named user counts apart. */
const QUOTA = { seconds: 3_600, queries: 20_000, executionSeconds: 3_600 } as const;

/** The quota in ClickHouse's user configuration. */
export function analystQuotaXml(): string {
  const { seconds, queries, executionSeconds } = QUOTA;
  return `    <${ANALYST}>
      <keyed/>
      <interval><duration>${seconds}</duration><queries>${queries}</queries><execution_time>${executionSeconds}</execution_time></interval>
    </${ANALYST}>
`;
}

/** The user's entry. `password`: its password element; `network`: allowed addresses. */
export function analystUserXml(password: string, network: string, lake: string): string {
  const grants = analystGrants(lake).map((grant) => `        <query>GRANT ${grant}</query>`);
  return `    <${ANALYST}>
      ${password}
      <networks><ip>${network}</ip></networks>
      <profile>${ANALYST}</profile>
      <quota>${ANALYST}</quota>
      <grants>
${grants.join('\n')}
      </grants>
    </${ANALYST}>
`;
}

/** Statements that create the same user, profile and quota of a server where the owner may create users. */
export function analystStatements(lake: string, passwordHash: string, where: string): readonly string[] {
  const name = analystName(lake);
  const value = (one: number | string) => (typeof one === 'number' ? String(one) : `'${one}'`);
  const settings = [
    ...Object.entries(FIXED).map(([key, one]) => `${key} = ${value(one)} CONST`),
    ...Object.entries(ANSWERS).map(([key, one]) => `${key} = ${value(one)} CHANGEABLE_IN_READONLY`),
    ...Object.entries(LIMITS).map(
      ([key, [one, max]]) => `${key} = ${one} MIN 1 MAX ${max} CHANGEABLE_IN_READONLY`,
    ),
    ...FREE.map((key) => `${key} CHANGEABLE_IN_READONLY`),
  ];
  const { seconds, queries, executionSeconds } = QUOTA;
  return [
    `CREATE SETTINGS PROFILE IF NOT EXISTS ${name}${where} SETTINGS ${settings.join(', ')}`,
    `CREATE USER IF NOT EXISTS ${name}${where} IDENTIFIED WITH sha256_hash BY '${passwordHash}' SETTINGS PROFILE '${name}'`,
    `ALTER USER ${name}${where} IDENTIFIED WITH sha256_hash BY '${passwordHash}' SETTINGS PROFILE '${name}'`,
    `CREATE QUOTA IF NOT EXISTS ${name}${where} KEYED BY client_key FOR INTERVAL ${seconds} second MAX queries = ${queries}, execution_time = ${executionSeconds} TO ${name}`,
    ...analystGrants(lake).map((grant) => `GRANT${where} ${grant} TO ${name}`),
  ];
}

/** Name of the user on a given server, which several networks may share. */
export function analystName(lake: string): string {
  return lake === 'ton' ? ANALYST : `${ANALYST}_${lake}`;
}
