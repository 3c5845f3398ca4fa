import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { metaDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import { joinRanges, type PositionRange, subtractRanges } from '../ranges/position-ranges.ts';

export type ReplayEvent = 'begun' | 'dirty' | 'repaired';

const route = 'replay/journal';

/** Journal of a replay, written with its rows so that it can be resumed from anywhere (migration meta/0002). */
export class ReplayJournal {
  readonly #client: StoreClient;
  readonly #table: string;
  readonly #database: string;

  /** `database`: the version that is built. */
  constructor(client: StoreClient, network: string, database: string) {
    this.#client = client;
    this.#table = `${metaDatabase(network)}.replay_journal`;
    this.#database = database;
  }

  async record(event: ReplayEvent, { first, last }: PositionRange): Promise<void> {
    await this.#client.command(
      `INSERT INTO ${this.#table} (database, event, first, last)
       VALUES ({database:String}, {event:String}, {first:UInt32}, {last:UInt32})`,
      {
        route,
        params: { database: this.#database, event, first, last },
        settings: { insert_deduplicate: 0 },
      },
    );
  }

  /** Batches that were begun and are not among `confirmed`: some of their rows may be there. */
  async cutOff(confirmed: readonly PositionRange[]): Promise<PositionRange[]> {
    const begun = await this.#read('begun');
    return joinRanges(begun.filter((range) => subtractRanges([range], confirmed).length > 0));
  }

  /** Ranges whose merged rows are still to be made whole. */
  async unrepaired(): Promise<PositionRange[]> {
    return subtractRanges(await this.#read('dirty'), await this.#read('repaired'));
  }

  async #read(event: ReplayEvent): Promise<PositionRange[]> {
    const { rows } = await this.#client.queryRows<[number, number]>(
      `SELECT DISTINCT first, last FROM ${this.#table} WHERE database = {database:String} AND event = {event:String}`,
      { route, params: { database: this.#database, event }, maxRows: 10_000_000 },
    );
    return rows.map(([first, last]) => ({ first, last }));
  }
}
