import { libchdbPath } from 'chdb/libchdb';
import { DataType, load, open } from 'ffi-rs';

/** Name under which the library is registered with the FFI. */
const LIBRARY = 'chdb';

/** Loads libchdb (from the npm package `chdb`) into this process; throws if the platform has none. */
export function loadLibrary(): void {
  open({ library: LIBRARY, path: libchdbPath() });
}

/**
 * Runs `clickhouse` (local mode) with these arguments on the calling thread and returns when its last query has
 * ended. The FFI must not switch stacks: the engine checks its stack's bounds.
 */
export function runCommandLine(args: readonly string[]): void {
  const argv = ['clickhouse', ...args];
  load({
    library: LIBRARY,
    funcName: 'chdb_query_cmdline',
    retType: DataType.External,
    paramsType: [DataType.I32, DataType.StringArray],
    paramsValue: [argv.length, argv],
  });
}
