import { joinRanges, type PositionRange, subtractRanges } from '../engine/ranges/position-ranges.ts';
import type { StoreClient } from '../platform/clickhouse/client.ts';

const route = 'lookup/confirmed';
/** Confirmations of several servers may become visible so much later than their time says, milliseconds. */
const CLOCKS_MS = 60_000;
/** More confirmations than this at once mean that everything is read again. */
const MAX_ROWS = 50_000;
const READ = { route, timeoutMs: 60_000, settings: { max_threads: 1 } } as const;

/** What a look at the table `confirmed` found. */
export interface Confirmations {
  /** Steps that were confirmed again since the last look: their rows may have changed. */
  readonly rewritten: readonly PositionRange[];
  /** Time of the newest confirmation, Unix milliseconds. */
  readonly seenAt: number;
  /** The lowest confirmed step. */
  readonly lowest: number;
}

/** A confirmed range, and when it was confirmed: integers of 64 bits are decimal text. */
type ConfirmedRow = readonly [first: number, last: number, at: string];

/**
 * Follows the confirmations of a version. Whoever replaces rows of a confirmed step (repair, a retry of dead letters,
 * late states, a correction) confirms it again at the end, so a step's rows are read after each of its confirmations.
 */
export class ConfirmationWatch {
  readonly #client: StoreClient;
  readonly #database: string;
  #seenAt: number;
  #lowest = 0;
  /** Confirmations of the last look that another one finds again. Null before the first look. */
  #known: ReadonlySet<string> | null = null;

  /** `seenAt`: of the last look of an earlier process; 0 for none. */
  constructor(client: StoreClient, database: string, seenAt: number) {
    this.#client = client;
    this.#database = database;
    this.#seenAt = seenAt;
  }

  /** Reads what was confirmed since. `covered`: steps whose rows were read before. */
  async look(covered: readonly PositionRange[]): Promise<Confirmations> {
    return this.#known ? this.#lookAgain(covered, this.#known) : this.#lookFirst(covered);
  }

  async #lookFirst(covered: readonly PositionRange[]): Promise<Confirmations> {
    const { rows } = await this.#client.queryRows<[number, string]>(
      'SELECT min(first), toUnixTimestamp64Milli(max(at)) FROM {db:Identifier}.confirmed',
      { ...READ, params: { db: this.#database } },
    );
    const [lowest, newest] = rows[0] ?? [0, '0'];
    const recent = await this.#read(Number(newest) - CLOCKS_MS, '1');
    // Afterwards: a confirmation between both statements is in the second.
    const added = await this.#read(this.#seenAt - CLOCKS_MS, overlaps(covered));
    this.#lowest = lowest;
    this.#seenAt = Math.max(this.#seenAt, Number(newest));
    return this.#found(recent, added, covered);
  }

  async #lookAgain(covered: readonly PositionRange[], known: ReadonlySet<string>): Promise<Confirmations> {
    const recent = await this.#read(this.#seenAt - CLOCKS_MS, '1');
    const added = recent.filter((row) => !known.has(toKey(row)));
    return this.#found(recent, added, covered);
  }

  #found(
    recent: readonly ConfirmedRow[],
    added: readonly ConfirmedRow[],
    covered: readonly PositionRange[],
  ): Confirmations {
    this.#known = new Set(recent.map(toKey));
    for (const [first, , at] of recent) {
      this.#lowest = Math.min(this.#lowest, first);
      this.#seenAt = Math.max(this.#seenAt, Number(at));
    }
    const isTooMuch = recent.length > MAX_ROWS || added.length > MAX_ROWS;
    const rewritten = isTooMuch ? covered : added.map(([first, last]) => ({ first, last }));
    return { rewritten, seenAt: this.#seenAt, lowest: this.#lowest };
  }

  async #read(since: number, condition: string): Promise<readonly ConfirmedRow[]> {
    const { rows } = await this.#client.queryRows<[number, number, string]>(
      `SELECT first, last, toUnixTimestamp64Milli(at) FROM {db:Identifier}.confirmed
       WHERE at > fromUnixTimestamp64Milli({since:Int64}) AND ${condition} LIMIT ${MAX_ROWS + 1}`,
      { ...READ, params: { db: this.#database, since: String(Math.max(0, since)) } },
    );
    return rows;
  }
}

/** Steps whose last confirmation is not later than a time, Unix milliseconds. */
export async function readConfirmedUntil(
  client: StoreClient,
  database: string,
  until: number,
): Promise<readonly PositionRange[]> {
  const { rows } = await client.queryRows<[number, number, boolean]>(
    `SELECT first, last, max(at) > fromUnixTimestamp64Milli({until:Int64}) FROM {db:Identifier}.confirmed GROUP BY first, last`,
    { ...READ, params: { db: database, until: String(until) } },
  );
  const ranges = rows.map(([first, last, isLater]) => ({ first, last, isLater }));
  return subtractRanges(
    joinRanges(ranges),
    ranges.filter(({ isLater }) => isLater),
  );
}

function toKey([first, last, at]: ConfirmedRow): string {
  return `${first} ${last} ${at}`;
}

/** Condition: a confirmed range touches one of some ranges. */
function overlaps(ranges: readonly PositionRange[]): string {
  if (ranges.length === 0) return '0';
  return `(${ranges.map(({ first, last }) => `(first <= ${last} AND last >= ${first})`).join(' OR ')})`;
}
