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
  maxWorkers: 5,
};

/**
 * Files with a process of their own. Answers cache what they have read from a store by the names of its databases, which are
 * the same in all files: a file with an indexed store has to be here (`test/helpers/indexed-store.ts` checks it).
 */
const WITH_STORES = [
  'test/integration/**/*.test.ts',
  'test/e2e/**/*.test.ts',
  'test/conformance/**/*.test.ts',
  'test/unit/api/*-cost.test.ts',
  'test/unit/api/{declared-reads,http,read-bounds,suspended-accounts,tokens-above-range}.test.ts',
  'test/unit/api/http/{answers,limits,overload,redis-rates}.test.ts',
  'test/unit/api/entities/blocks/masterchain-rows.test.ts',
  'test/unit/api/v3/{scans,tied-balances,validators}.test.ts',
];

export default defineConfig({
  test: {
    globalSetup: [
      'test/setup/memory-disk.ts',
      'test/setup/temporary-folder.ts',
      'test/setup/fixture-pack.ts',
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
          env: { TEST_SHARED_MODULES: '1' },
          // After the others: a worker ends whenever the next file is of another project.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
