import { metaDatabase } from '../../../platform/clickhouse/migrations/database-names.ts';
import type { DetectionFamily, DetectionStore } from './detection.ts';

/** Start of the reason of an account whose kind is not known: the index lacks something that its get methods need. */
export const UNKNOWN = 'not known: ';

/** Milliseconds after which accounts of unknown kinds are retried: missing data may have been indexed or fetched. */
const RETRY_MS = 60_000;
/** A retry waits this many times longer than the last pass took. */
const RETRY_SHARE = 100;

type DetectionTable = DetectionFamily<string, never>['table'];

const LONG_QUERY_LIMITS = {
  route: 'contracts/unknown-outcomes',
  timeoutMs: 600_000,
  maxMemoryBytes: 0,
} as const;
/** Outcomes of accounts of unknown kinds. */
const IS_UNKNOWN = `startsWith(reason, '${UNKNOWN}')`;
/**
 * Refusals of earlier releases that may be wrong now: this release ignores values after the standard ones, and missing
 * data is no refusal.
 */
const IS_OUTDATED = [
  "startsWith(reason, 'LITE_SERVER_NOTREADY')",
  "reason = 'expected an address, found nothing'",
  "toUInt32OrZero(extract(reason, '^([0-9]+) values, [0-9]+ expected$')) > toUInt32OrZero(extract(reason, '^[0-9]+ values, ([0-9]+) expected$'))",
  "toUInt32OrZero(extract(reason, 'values of .*, found ([0-9]+)$')) > toUInt32OrZero(extract(reason, '^expected ([0-9]+) values of '))",
].join(' OR ');

/** Removes outcomes that may change without a new state of their accounts, so that the accounts are tried again. */
export class UnknownOutcomes {
  readonly #store: DetectionStore;
  readonly #table: DetectionTable;
  #isFirst = true;
  #retryAt = 0;

  constructor(store: DetectionStore, table: DetectionTable) {
    this.#store = store;
    this.#table = table;
  }

  /** Removes them if they are due. True if any was removed. */
  async forget(): Promise<boolean> {
    if (performance.now() < this.#retryAt) return false;
    const condition = this.#isFirst ? `${IS_UNKNOWN} OR ${IS_OUTDATED}` : IS_UNKNOWN;
    const { client, network } = this.#store;
    const table = `${metaDatabase(network)}.${this.#table}`;
    const { rows } = await client.queryRows<[string]>(
      `SELECT toString(count()) FROM ${table} WHERE ${condition}`,
      LONG_QUERY_LIMITS,
    );
    const isAny = Number(rows[0]?.[0] ?? 0) > 0;
    if (isAny)
      await client.command(`DELETE FROM ${table} WHERE ${condition}`, {
        ...LONG_QUERY_LIMITS,
        settings: { lightweight_deletes_sync: 2 },
      });
    this.#isFirst = false;
    this.#retryAt = performance.now() + RETRY_MS;
    return isAny;
  }

  /** Puts the next retry off after a pass that took this long, milliseconds. */
  passed(ms: number): void {
    this.#retryAt = Math.max(this.#retryAt, performance.now() + RETRY_SHARE * ms);
  }
}
