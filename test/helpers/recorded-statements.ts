import type { StoreClient } from '../../src/platform/clickhouse/client.ts';
import type { QueryOptions } from '../../src/platform/clickhouse/client-options.ts';

/** Statements that answers send through a client. */
export interface RecordedStatements {
  /** The same client, whose statements are kept. */
  client(of: StoreClient): StoreClient;
  /** Those since the last call. */
  take(): readonly string[];
}

/** Keeps the text of statements; background work of the server is excluded. */
export function recordedStatements(): RecordedStatements {
  let statements: string[] = [];
  const note = (sql: string, { route }: QueryOptions) => {
    if (!route.startsWith('serve/')) statements.push(sql);
  };
  return {
    client: (of) => ({
      ...of,
      queryRows: ((sql, options) => {
        note(sql, options);
        return of.queryRows(sql, options);
      }) as StoreClient['queryRows'],
      queryBytes: (sql, options) => {
        note(sql, options);
        return of.queryBytes(sql, options);
      },
    }),
    take: () => {
      const taken = statements;
      statements = [];
      return taken;
    },
  };
}
