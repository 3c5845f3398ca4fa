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
    globalSetup: ['test/setup/temporary-folder.ts'],
    setupFiles: ['test/setup/measure-file.ts'],
    pool: 'forks',
    maxWorkers: 2,
    reporters: ['default', new FileTimesReporter()],
  },
});
