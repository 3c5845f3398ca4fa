/** A format of exported files: ClickHouse's name of it, and the end of file names. */
export interface ExportFormat {
  readonly clickhouse: string;
  readonly extension: string;
}

/** Formats by their names on the command line. */
export const EXPORT_FORMATS: Readonly<Record<string, ExportFormat>> = {
  parquet: { clickhouse: 'Parquet', extension: 'parquet' },
  arrow: { clickhouse: 'Arrow', extension: 'arrow' },
  csv: { clickhouse: 'CSVWithNames', extension: 'csv' },
  ndjson: { clickhouse: 'JSONEachRow', extension: 'ndjson' },
};

/** Settings of the written values: text is UTF-8, and decimals of JSON are text (docs/analytics.md). */
export const FILE_SETTINGS = {
  output_format_parquet_string_as_string: 1,
  output_format_parquet_compression_method: 'zstd',
  output_format_arrow_string_as_string: 1,
  output_format_arrow_low_cardinality_as_dictionary: 0,
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_decimals: 1,
  date_time_output_format: 'iso',
} as const;
