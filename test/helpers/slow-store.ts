import type { StoreClient } from '../../src/platform/clickhouse/client.ts';

/**
 * The client, with `seconds` more store time for each statement of `route`, under an id that begins with
 * `queryIdPrefix`.
 */
export function slowStore(
  client: StoreClient,
  { route, seconds, queryIdPrefix }: { route: string; seconds: number; queryIdPrefix: string },
): StoreClient {
  let count = 0;
  const slower = async (options: Parameters<StoreClient['queryRows']>[1]): Promise<number> => {
    if (options.route !== route) return options.timeoutMs ?? 0;
    const started = performance.now();
    await client.queryRows(`SELECT sleepEachRow(0.01) FROM numbers(${Math.round(seconds * 100)})`, {
      route,
      queryId: `${queryIdPrefix}-${++count}`,
      ...(options.timeoutMs ? { timeoutMs: options.timeoutMs } : {}),
      ...(options.signal ? { signal: options.signal } : {}),
      settings: { max_block_size: 1, function_sleep_max_microseconds_per_block: 0 },
    });
    return Math.max(1, (options.timeoutMs ?? 0) - Math.ceil(performance.now() - started));
  };
  return {
    ...client,
    queryRows: async (sql, options) =>
      client.queryRows(sql, { ...options, timeoutMs: await slower(options) }),
    queryBytes: async (sql, options) =>
      client.queryBytes(sql, { ...options, timeoutMs: await slower(options) }),
  };
}
