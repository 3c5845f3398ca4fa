import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { FileTimesReporter } from './test/setup/file-times-reporter.ts';

/** Options of all tests. */
export const OPTIONS: NonNullable<ViteUserConfig['test']> = {
  // These take longer: vitest.slow.config.ts.
  exclude: ['test/**/*.slow.test.ts'],
  // A busy machine is many times slower than a quiet one: a limit only ends what hangs.
  testTimeout: 300_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 60_000 } },
  setupFiles: ['test/setup/measure-file.ts'],
  pool: 'forks',
  // More than two cores: a third of the time is spent waiting for disks, stores and clocks.
  maxWorkers: 4,
};

/** Answers cache what they have read from a store, by database: a file with a store has a process of its own. */
const WITH_STORES = ['test/unit/api', 'test/integration', 'test/e2e', 'test/conformance'].map(
  (folder) => `${folder}/**/*.test.ts`,
);

export default defineConfig({
  test: {
    globalSetup: [
      'test/setup/memory-disk.ts',
      'test/setup/temporary-folder.ts',
      'test/setup/shared-broker.ts',
    ],
    reporters: ['default', new FileTimesReporter()],
    projects: [
      { test: { ...OPTIONS, name: 'stores', include: WITH_STORES } },
      {
        test: {
          ...OPTIONS,
          name: 'modules',
          include: ['test/**/*.test.ts'],
          exclude: [...(OPTIONS.exclude ?? []), ...WITH_STORES],
          // Files of one worker share imported modules: imports took a third of the processor time.
          isolate: false,
          // After the others: a worker ends whenever the next file is of another project.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
