import { readFileSync } from 'node:fs';
import { afterAll } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Processor seconds of a test file: its process, and child processes that have ended. Absent outside Linux. */
    cpuSeconds?: number;
  }
}

/** Clock ticks a second in `/proc`: always 100 on Linux. */
const TICKS = 100;

/** Returns the processor seconds of this process and of its ended children; null outside Linux. */
function usedSeconds(): number | null {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
    // utime, stime, cutime and cstime: fields 14 to 17 of proc_pid_stat(5).
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
  } catch {
    return null;
  }
}

const before = usedSeconds();

// Hooks run in reverse order, so this one follows the hooks of the file, which stop its processes.
// biome-ignore lint/correctness/noEmptyPattern: vitest requires a destructuring pattern here
afterAll(({}, file) => {
  const after = usedSeconds();
  if (before !== null && after !== null) file.meta.cpuSeconds = after - before;
});
