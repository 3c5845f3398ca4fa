import { defineConfig } from 'vitest/config';
import { FileTimesReporter } from './test/setup/file-times-reporter.ts';
import { OPTIONS } from './vitest.config.ts';

/** The tests that take minutes: `npm run test:slow`, and CI after `npm test`. */
export default defineConfig({
  test: {
    ...OPTIONS,
    include: ['test/**/*.slow.test.ts'],
    exclude: [],
    // A limit only ends what hangs: starting the product may take minutes on a busy machine.
    testTimeout: 600_000,
    expect: { poll: { timeout: 240_000 } },
    // Of an answer: three seconds, the default, may pass on a busy machine. A test of the limit sets its own.
    env: { TONHOUSE_QUERY_TIMEOUT_MS: '60000' },
    globalSetup: [
      'test/setup/memory-disk.ts',
      'test/setup/temporary-folder.ts',
      'test/setup/fixture-pack.ts',
      'test/setup/shared-broker.ts',
    ],
    reporters: ['default', new FileTimesReporter()],
    // Most of them wait for processes that start, end or are paused: three files keep two cores busy.
    maxWorkers: 3,
  },
});
