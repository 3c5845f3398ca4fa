import { defineConfig, mergeConfig } from 'vitest/config';
import fast from './vitest.config.ts';

/** The tests that take minutes: `npm run test:slow`, and CI after `npm test`. */
export default mergeConfig(
  { ...fast, test: { ...fast.test, include: [], exclude: [] } },
  defineConfig({ test: { include: ['test/**/*.slow.test.ts'], testTimeout: 600_000 } }),
);
