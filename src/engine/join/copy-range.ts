import type { JournalEntry } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { TABLE_QUERY } from '../../platform/clickhouse/query-profile.ts';
import { DataError } from '../../platform/errors/error-kinds.ts';
import { confirmRange } from '../sink/confirm-range.ts';
import { differences, type RowCounts } from '../sink/expected-rows.ts';
import { deleteRange, measureRange } from '../sink/measure-range.ts';
import { runRepairs } from '../sink/repairs.ts';
import { queryPrefix, rangeRows, type SinkContext } from '../sink/sink-context.ts';
import { countedTargets } from '../sink/sink-definition.ts';

const route = 'join/copy';

/** A copied range has other rows than its source. */
export class CopiedRowsError extends DataError {
  constructor(table: string, range: Pick<JournalEntry, 'firstPosition' | 'lastPosition'>, found: string) {
    super(`${table}, masterchain ${range.firstPosition} to ${range.lastPosition}: ${found}`);
  }
}

/** Tables that views fill from other stored tables: a copy of these fills them. */
async function derivedCopies(client: StoreClient, database: string): Promise<ReadonlySet<string>> {
  const { rows } = await client.queryRows<[string]>(
    `SELECT extract(create_table_query, ' TO \`?\\\\w+\`?\\\\.\`?(\\\\w+)') AS filled
     FROM system.tables WHERE database = {database:String} AND engine = 'MaterializedView'
         AND NOT startsWith(extract(as_select, 'FROM \`?\\\\w+\`?\\\\.\`?(\\\\w+)'), 'land_')`,
    { route, params: { database } },
  );
  return new Set(rows.map(([table]) => table));
}

/** Copies ranges between two stores of one version. */
export class RangeCopy {
  readonly #from: SinkContext;
  readonly #to: SinkContext;
  readonly #tables: readonly string[];

  private constructor(from: SinkContext, to: SinkContext, tables: readonly string[]) {
    this.#from = from;
    this.#to = to;
    this.#tables = tables;
  }

  static async open(from: SinkContext, to: SinkContext): Promise<RangeCopy> {
    const copies = await derivedCopies(to.client, to.database);
    const tables = countedTargets(to.definition).map(({ table }) => table);
    return new RangeCopy(
      from,
      to,
      tables.filter((table) => !copies.has(table)),
    );
  }

  /**
   * Copies the rows of a range, computes the tables that merge rows, and confirms the range. Rows that an interrupted
   * copy left are deleted first.
   * @throws CopiedRowsError
   */
  async copy(entry: JournalEntry, signal: AbortSignal): Promise<void> {
    const [from, to] = [this.#from, this.#to];
    const found = await measureRange(to, entry, signal);
    const { lane, from: offset, firstPosition, lastPosition } = entry;
    await deleteRange(to, { lane, from: offset, firstPosition, lastPosition }, found, signal);
    const expected = await measureRange(from, entry, signal);
    for (const table of this.#tables)
      if ((expected[table] ?? 0) > 0) await this.#copyTable(table, entry, signal);
    this.#compare(entry, expected, await measureRange(to, entry, signal));
    await runRepairs(to, entry, signal);
    await confirmRange(to, entry, signal);
  }

  async #copyTable(table: string, entry: JournalEntry, signal: AbortSignal): Promise<void> {
    const [from, to] = [this.#from, this.#to];
    const { body } = await from.client.queryStream(
      `SELECT * FROM ${from.database}.${table} WHERE ${rangeRows(from)} FORMAT Native`,
      {
        ...TABLE_QUERY,
        route,
        maxRows: 1_000_000_000,
        maxResultBytes: 2 ** 36,
        params: { first: entry.firstPosition, last: entry.lastPosition },
        signal,
      },
    );
    await to.client.insertNative(`${to.database}.${table}`, body, {
      route,
      queryId: `${queryPrefix(to, entry)}${table}`,
      isLarge: true,
      timeoutMs: TABLE_QUERY.timeoutMs,
      signal,
    });
  }

  #compare(entry: JournalEntry, expected: RowCounts, found: RowCounts): void {
    const [wrong] = differences(expected, found);
    if (wrong)
      throw new CopiedRowsError(wrong.table, entry, `${wrong.found} rows were copied of ${wrong.expected}`);
  }
}
