import { defineConfig } from 'vitest/config';
import { FileTimesReporter } from './test/setup/file-times-reporter.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // These take minutes: vitest.slow.config.ts.
    exclude: ['test/**/*.slow.test.ts'],
    // A busy machine is many times slower than a quiet one: a limit only ends what hangs.
    testTimeout: 300_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    globalSetup: [
      'test/setup/memory-disk.ts',
      'test/setup/temporary-folder.ts',
      'test/setup/shared-broker.ts',
    ],
    setupFiles: ['test/setup/measure-file.ts'],
    pool: 'forks',
    // Files of one worker share imported modules: imports took a third of the processor time.
    isolate: false,
    // More than two cores: a third of the time is spent waiting for disks, stores and clocks.
    maxWorkers: 4,
    reporters: ['default', new FileTimesReporter()],
  },
});
