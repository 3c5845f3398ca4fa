import { loadFfi } from '../native/load-ffi.ts';

/** The C library as this process has it: the empty path names the program itself. */
const LIBRARY = 'libc';
/** How long reads may take to end after all work has ended. */
const GRACE_MS = 2_000;

/**
 * Ends the process at once. `process.exit` waits for every thread, and so for ever for one that reads from a file system that
 * does not answer; `_exit` of the C library waits for none. Without the package that calls it, this is `process.exit`.
 */
export function exitNow(code: number): void {
  try {
    if (process.platform !== 'win32') exitByLibrary(code);
  } finally {
    process.exit(code);
  }
}

function exitByLibrary(code: number): void {
  const { DataType, load, open } = loadFfi();
  open({ library: LIBRARY, path: '' });
  const paramsType = [DataType.I32];
  load({ library: LIBRARY, funcName: '_exit', retType: DataType.Void, paramsType, paramsValue: [code] });
}

/** For the end of the program: ends the process if only file operations that hang are left. The exit code is set already. */
export function exitIfStuck(): void {
  setTimeout(() => {
    if (process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq')))
      exitNow(Number(process.exitCode));
  }, GRACE_MS).unref();
}
