import { hash } from 'node:crypto';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { onCluster } from '../../platform/clickhouse/cluster-scope.ts';
import { quoted } from '../../platform/clickhouse/quoted.ts';
import { HELPER_PREFIX, type LakeSources } from './sources.ts';

const route = 'lake';

/** Name of the view whose text says what the views of the lake were made from. */
export const madeName = ({ network }: Pick<LakeSources, 'network'>): string =>
  `${network}.${HELPER_PREFIX}made`;

/** Digest of the texts of all views of a lake that the store has. */
const STORED = `SELECT hex(SHA256(arrayStringConcat(arraySort(groupArray(create_table_query)), '\\n')))
  FROM system.tables WHERE database = {lake:String} AND engine = 'View'`;

/** Views that were made once need not be made at the next start: to analyse all of them takes the store a second. */
export class MadeViews {
  readonly #client: StoreClient;
  readonly #sources: Pick<LakeSources, 'network' | 'lake'>;
  readonly #input: string;

  /** `input`: everything that the views are made from. */
  constructor(client: StoreClient, sources: Pick<LakeSources, 'network' | 'lake'>, input: unknown) {
    this.#client = client;
    this.#sources = sources;
    this.#input = hash('sha256', JSON.stringify(input));
  }

  /** True if the store has the views, unchanged, that were made from this input. */
  async isMade(): Promise<boolean> {
    const [database, name] = madeName(this.#sources).split('.');
    const { rows } = await this.#client.queryRows<[string]>(
      `SELECT name FROM system.tables WHERE database = {database:String} AND name = {name:String}
       AND position(as_select, concat({input:String}, (${STORED}))) > 0`,
      { route, params: { database, name, input: this.#input, lake: this.#sources.lake } },
    );
    return rows.length > 0;
  }

  /** From here on the views are not those that were made. */
  async begin(): Promise<void> {
    await this.#run(`DROP VIEW IF EXISTS ${madeName(this.#sources)}${onCluster(this.#client)}`);
  }

  async finish(): Promise<void> {
    const { lake } = this.#sources;
    const { rows } = await this.#client.queryRows<[string]>(STORED, { route, params: { lake } });
    const mark = quoted(`${this.#input}${rows[0]?.[0]}`);
    await this.#run(
      `CREATE OR REPLACE VIEW ${madeName(this.#sources)}${onCluster(this.#client)} AS SELECT ${mark} AS made`,
    );
  }

  #run(sql: string): Promise<void> {
    return this.#client.command(sql, { route });
  }
}
