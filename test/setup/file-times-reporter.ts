import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** What one test file took. All times are in seconds. */
export interface FileTimes {
  /** Path from the root of the repository. */
  readonly file: string;
  /** Tests and hooks. */
  readonly tests: number;
  /** Imports of the file and of its setup. */
  readonly imports: number;
  /** Processor time with child processes; absent outside Linux. */
  readonly cpu?: number | undefined;
}

/** Writes what every test file took as JSON to the path in TEST_TIMES. Does nothing without that variable. */
export class FileTimesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const path = process.env.TEST_TIMES;
    if (path) writeFileSync(path, `${JSON.stringify(modules.map(toFileTimes), null, 1)}\n`);
  }
}

function toFileTimes(module: TestModule): FileTimes {
  const { duration, collectDuration, setupDuration } = module.diagnostic();
  return {
    file: module.relativeModuleId,
    tests: duration / 1000,
    imports: (collectDuration + setupDuration) / 1000,
    cpu: module.meta().cpuSeconds,
  };
}
