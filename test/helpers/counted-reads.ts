import { type RawRow, READ_SETTINGS, type ReadScope } from '../../src/api/query/scope.ts';
import type { Sql } from '../../src/api/query/sql.ts';
import type { StoreClient } from '../../src/platform/clickhouse/client.ts';

/** Sends statements as the API does, and adds up the rows that the store reads for them. */
export class CountedReads implements Pick<ReadScope, 'query' | 'queryBytes'> {
  readonly #client: StoreClient;
  #rows = 0;

  constructor(client: StoreClient) {
    this.#client = client;
  }

  /** Rows read since the last call. */
  take(): number {
    const rows = this.#rows;
    this.#rows = 0;
    return rows;
  }

  query = async (statement: Sql): Promise<readonly RawRow[]> => {
    const { sql, params } = statement.render(null);
    const text = await this.#client.queryText(`${sql} FORMAT JSONCompact`, {
      ...OPTIONS,
      params,
    });
    const { statistics, data } = JSON.parse(text) as {
      data: RawRow[];
      statistics: { rows_read: number };
    };
    this.#rows += statistics.rows_read;
    return data;
  };

  queryBytes = async (statement: Sql): Promise<Buffer> => {
    // Only JSON has read statistics.
    await this.query(statement);
    const { sql, params } = statement.render(null);
    return this.#client.queryBytes(`${sql} FORMAT RowBinary`, { ...OPTIONS, params });
  };
}

const OPTIONS = { route: 'test', timeoutMs: 60_000, settings: READ_SETTINGS } as const;
