import { statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { LogStorageError } from '../log/sqlite/errors.ts';
import { StoreStartError } from '../platform/clickhouse/embedded/embedded-errors.ts';
import { StoreError } from '../platform/clickhouse/store-errors.ts';
import { type Environment, resolveSettings } from '../platform/config/resolve-settings.ts';
import { UnavailableError } from '../platform/errors/error-kinds.ts';
import { sqliteResultCode } from '../platform/files/sqlite-result-code.ts';
import { getCauses } from '../platform/observability/error-facts.ts';
import type { Log } from '../platform/observability/log.ts';

/** Less than this is a full disk: ClickHouse reserves 1 MiB before it writes. */
const FULL_BELOW_BYTES = 4 * 1024 ** 2;
/** SQLITE_FULL, https://sqlite.org/rescode.html */
const SQLITE_FULL = 13;
/** ClickHouse's code NOT_ENOUGH_SPACE */
const NOT_ENOUGH_SPACE = 243;
/** Codes of the operating system: no space, and no space within the quota. */
const FULL_CODES: readonly unknown[] = ['ENOSPC', 'EDQUOT'];

/** Where a process writes. */
export interface DiskPlace {
  /** Data directory, with the log and the embedded store. */
  readonly directory: string;
  /** True if the store is a server of its own, whose disk this process does not see. */
  readonly isStoreExternal: boolean;
}

/** A full disk ended the work. `failure`: what could not write. */
export class DiskFullError extends UnavailableError {
  readonly failure: Error;

  constructor(advice: string, failure: Error) {
    super(`${advice} (${failure.name}: ${failure.message})`);
    this.failure = failure;
    if (failure.stack) this.stack = failure.stack;
  }
}

/** Returns the place that a command's settings name; null if the settings are refused. */
export function readDiskPlace(
  flags: Readonly<Record<string, unknown>>,
  environment?: Environment,
): DiskPlace | null {
  try {
    const { data, clickhouseUrl } = resolveSettings(['data', 'clickhouseUrl'], flags, environment);
    return { directory: resolve(data), isStoreExternal: clickhouseUrl !== undefined };
  } catch {
    return null;
  }
}

/** Names the full disk and what to do, if a full disk caused the error; else null. */
export function adviseOnFullDisk(error: unknown, place: DiskPlace | null): string | null {
  if (!(error instanceof Error) || place === null) return null;
  const errors = [error, ...getCauses(error)];
  const isStoreFull = errors.some((one) => one instanceof StoreError && one.code === NOT_ENOUGH_SPACE);
  if (isStoreFull && place.isStoreExternal)
    return 'no space left on the disk of the ClickHouse server: free space there; confirmed data is safe';
  const isFull = isStoreFull || errors.some(hasFullCode);
  if (!isFull && !(errors.some((one) => isOfDisk(one, place)) && isAlmostFull(place.directory))) return null;
  return `no space left on ${place.directory}: free space on its disk, then start again; confirmed data is safe`;
}

/** Adds `advice` to warnings and errors of a full disk. `place` is called at the first of them. */
export function withDiskAdvice(log: Log, place: () => DiskPlace | null): Log {
  const advised = (facts: object): object => {
    const advice = 'error' in facts ? adviseOnFullDisk(facts.error, place()) : null;
    return advice === null ? facts : { ...facts, advice };
  };
  return {
    debug: (facts, text) => log.debug(facts, text),
    info: (facts, text) => log.info(facts, text),
    warn: (facts, text) => log.warn(advised(facts), text),
    error: (facts, text) => log.error(advised(facts), text),
  };
}

function hasFullCode(error: Error): boolean {
  if ('code' in error && FULL_CODES.includes(error.code)) return true;
  return error instanceof LogStorageError && sqliteResultCode(error) === SQLITE_FULL;
}

/** True for failures of the log and the embedded store: their codes do not always name a full disk. */
function isOfDisk(error: Error, { isStoreExternal }: DiskPlace): boolean {
  if (error instanceof LogStorageError || error instanceof StoreStartError) return true;
  return error instanceof StoreError && !isStoreExternal;
}

function isAlmostFull(directory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize < FULL_BELOW_BYTES;
  } catch {
    const parent = dirname(directory);
    return parent !== directory && isAlmostFull(parent);
  }
}
