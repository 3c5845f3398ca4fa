import { createHash, randomUUID } from 'node:crypto';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { quoted } from '../../platform/clickhouse/quoted.ts';
import type { S3Location } from '../../platform/object-store/s3-location.ts';
import { FILE_SETTINGS } from './export-format.ts';
import type { ExportPlace, FileFacts, FileRows, WrittenFile } from './export-place.ts';
import { NO_LIMITS } from './export-source.ts';
import { toS3Error } from './s3-error.ts';

/** A store that refuses or is away fails the export after some seconds. ClickHouse's own limits are minutes. */
const S3_SETTINGS = {
  s3_retry_attempts: 5,
  s3_connect_timeout_ms: 5_000,
  s3_truncate_on_insert: 1,
} as const;
/** One text for each line, as it is in the object: neither threads nor escapes change the bytes. */
const EXACT_SETTINGS = {
  ...S3_SETTINGS,
  max_threads: 1,
  input_format_parallel_parsing: 0,
  output_format_parallel_formatting: 0,
} as const;

/**
 * A prefix of a bucket. ClickHouse writes and reads its objects with its table function `s3`. A new object appears when its upload is
 * complete.
 */
export function s3Place(client: StoreClient, location: S3Location): ExportPlace {
  const name = `s3://${location.bucket}/${location.prefix}`;
  const s3 = new S3Objects(client, location);
  return {
    name,
    readText: (path) => s3.readText(path),
    writeText: async (path, text) => {
      const rows = { sql: 'SELECT {text:String} AS text', params: { text }, format: 'RawBLOB' };
      await s3.insert(path, { ...rows, signal: new AbortController().signal });
    },
    hasFile: async (path, { bytes, etag }) => {
      const found = await s3.readTag(path);
      return found !== null && found.bytes === bytes && found.etag === etag;
    },
    write: async (path, rows) => {
      const written = await s3.insert(path, rows);
      return { rows: written, ...(await s3.readFacts(path, rows.signal)) };
    },
  };
}

class S3Objects {
  readonly #client: StoreClient;
  readonly #location: S3Location;
  /** Statements that write below this prefix have ids that begin with it. */
  readonly #queries: string;

  constructor(client: StoreClient, location: S3Location) {
    this.#client = client;
    this.#location = location;
    const place = createHash('sha256').update(`${location.url}/${location.prefix}`).digest('hex');
    this.#queries = `export-${place.slice(0, 16)}-`;
  }

  /** Table function of an object. ClickHouse hides the secrets in its own logs. */
  #function(path: string, format: string, columns?: string): string {
    const { url, prefix, accessKey, secretKey, sessionToken } = this.#location;
    const login = [accessKey, secretKey, ...(sessionToken === undefined ? [] : [sessionToken])];
    const given = [`${url}/${prefix}${path}`, ...login, format, ...(columns === undefined ? [] : [columns])];
    return `s3(${given.map(quoted).join(', ')})`;
  }

  /** Rows that were written. Ends what a killed export has left running first: it would overwrite the object later. */
  async insert(path: string, { sql, params, format, signal }: FileRows): Promise<number> {
    const route = 'export/s3';
    const options = { route, params, signal, queryId: `${this.#queries}${randomUUID()}` };
    const settings = { ...FILE_SETTINGS, ...S3_SETTINGS };
    await this.#end(route);
    const target = this.#function(path, format, format === 'RawBLOB' ? 'text String' : undefined);
    try {
      const statement = `INSERT INTO FUNCTION ${target} ${sql}`;
      return await this.#client.insertSelect(statement, { ...options, settings });
    } catch (error) {
      if (signal.aborted) await this.#end(route);
      throw toS3Error(error, this.#location, path);
    }
  }

  async #end(route: string): Promise<void> {
    await this.#client.killAndWait(this.#queries, { route });
  }

  /** Text of an object; null if there is none. */
  async readText(path: string): Promise<string | null> {
    const source = this.#function(path, 'RawBLOB', 'text String');
    const rows = await this.#read<[string]>(path, `SELECT text FROM ${source}`);
    return rows[0]?.[0] ?? null;
  }

  /** Size and tag of an object without its content; null if there is none. */
  async readTag(path: string): Promise<Required<Pick<FileFacts, 'bytes' | 'etag'>> | null> {
    const source = this.#function(path, 'One');
    const [row] = await this.#read<[string, string]>(path, `SELECT _size, _etag FROM ${source}`);
    return row ? { bytes: Number(row[0]), etag: row[1].replaceAll('"', '') } : null;
  }

  /** Reads an object back, and so proves that it is there as a whole. @throws S3Error */
  async readFacts(path: string, signal: AbortSignal): Promise<Omit<WrittenFile, 'rows'>> {
    const tag = await this.readTag(path);
    if (tag === null) throw toS3Error(new Error('the written object is not there'), this.#location, path);
    const source = this.#function(path, 'LineAsString', 'line String');
    try {
      const { body } = await this.#client.queryStream(`SELECT line FROM ${source} FORMAT TSVRaw`, {
        ...NO_LIMITS,
        route: 'export/s3',
        signal,
        settings: EXACT_SETTINGS,
      });
      const hash = createHash('sha256');
      let left = tag.bytes;
      for await (const part of body as AsyncIterable<Buffer>) {
        // A line break follows the last line also if the object ends without one.
        hash.update(part.subarray(0, left));
        left -= Math.min(left, part.length);
      }
      return { ...tag, sha256: hash.digest('hex') };
    } catch (error) {
      throw toS3Error(error, this.#location, path);
    }
  }

  async #read<R extends readonly unknown[]>(path: string, sql: string): Promise<readonly R[]> {
    const settings = { ...S3_SETTINGS, s3_ignore_file_doesnt_exist: 1 };
    const options = { ...NO_LIMITS, maxRows: 10, route: 'export/s3', settings };
    try {
      return (await this.#client.queryRows<R>(sql, options)).rows;
    } catch (error) {
      throw toS3Error(error, this.#location, path);
    }
  }
}
