import { createRequire } from 'node:module';

/**
 * Loads `ffi-rs`, which calls functions of native libraries. Its compiled part is an optional package, which an install for
 * a ClickHouse server lacks: load it at the first use.
 * @throws Error if the package of the platform is not installed
 */
export function loadFfi(): typeof import('ffi-rs') {
  return createRequire(import.meta.url)('ffi-rs') as typeof import('ffi-rs');
}
