/** User that the embedded server generates a password for. */
export const STORE_USER = 'tonhouse';

/** File descriptor from which the server process reads the place of its cold volume. */
export const PLACE_DESCRIPTOR = 3;

/** Exit code of the server process where another process holds the directory's lock. */
export const LOCKED_EXIT_CODE = 75;

/**
 * The query that never ends, and so keeps the engine running. Cancelling it is the graceful stop: the engine then
 * leaves `chdb_query_cmdline` in order (`SYSTEM SHUTDOWN` would signal the whole process group).
 */
export const KEEP_ALIVE_QUERY =
  'SELECT sleepEachRow(1) FROM system.numbers FORMAT Null SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 0';

/** Matches only KEEP_ALIVE_QUERY: it runs in the engine's own session, which has no user. */
export const STOP_QUERY = `KILL QUERY WHERE user = '' AND startsWith(query, 'SELECT sleepEachRow(1)') ASYNC`;
