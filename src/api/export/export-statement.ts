import { ExportChoiceError, type ExportedTable, PARTITION } from './exported-table.ts';

/** Rows and columns of an export. */
export interface ExportChoice {
  /** Empty: all columns. */
  readonly columns: readonly string[];
  /** Raw addresses; empty: rows of all accounts. */
  readonly accounts: readonly string[];
  /** First and last date, `YYYY-MM-DD`, both inclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** A statement and its parameters. */
export interface ExportStatement {
  readonly sql: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Columns whose values are raw addresses. */
const ADDRESS_COLUMN =
  /^(account|address|asset|source|destination|sender|receiver|owner|bidder|auction|provider|stake_holder|pool|marketplace|(old|new|prev)_owner|first_tx_sender|last_member|asset_in|asset_out|jetton_(wallet|master|left|right)|nft_(item|item_owner|collection)|(.+_)?address|(sender|receiver|owner)_jetton_wallet|response_destination|sale_contract|dns_(wallet|next_resolver))$/;
/** Columns whose values are arrays of raw addresses. */
const ADDRESSES_COLUMN = /^(accounts|signers)$/;
/** Columns of raw bytes. Readers of Parquet, Arrow and JSON refuse text that is not UTF-8. */
const BYTES_COLUMN = /_(boc|payload)$/;

/** Columns of a table that contain addresses. */
export function addressColumns({ columns }: Pick<ExportedTable, 'columns'>): readonly string[] {
  return columns.filter((name) => ADDRESS_COLUMN.test(name) || ADDRESSES_COLUMN.test(name));
}

function ofAccounts(column: string): string {
  const values = '{accounts:Array(String)}';
  return ADDRESSES_COLUMN.test(column) ? `hasAny(${column}, ${values})` : `${column} IN ${values}`;
}

/** The rows of one day, or of all days of the choice. `day` null: rows without a date. */
export function selectRows(table: ExportedTable, choice: ExportChoice, day?: string | null): ExportStatement {
  const isPart = day !== undefined;
  const chosen = choice.columns.length > 0 ? choice.columns : table.columns;
  const written = chosen.filter((name) => !isPart || name !== PARTITION).map(expression);
  if (written.length === 0)
    throw new ExportChoiceError(`files of one day need a column other than ${PARTITION}`);
  const rows = whereRows(table, choice);
  const where = [...rows.where, ...(isPart ? [ofDay(day)] : [])];
  return {
    sql: `SELECT ${written.join(', ')} FROM ${table.qualified}${toWhere(where)}`,
    params: { ...rows.params, ...(isPart && day !== null && { day }) },
  };
}

/** Days of the choice with their numbers of rows, oldest first; rows without a date are the last. */
export function selectDays(table: ExportedTable, choice: ExportChoice): ExportStatement {
  const { where, params } = whereRows(table, choice);
  return {
    sql: `SELECT toString(${PARTITION}) AS day, count() AS rows FROM ${table.qualified}${toWhere(where)} GROUP BY ${PARTITION} ORDER BY ${PARTITION} ASC NULLS LAST`,
    params,
  };
}

function expression(column: string): string {
  return BYTES_COLUMN.test(column) ? `base64Encode(${column}) AS ${column}` : `\`${column}\``;
}

function ofDay(day: string | null): string {
  return day === null ? `${PARTITION} IS NULL` : `${PARTITION} = {day:Date}`;
}

function whereRows(table: ExportedTable, { accounts, from, to }: ExportChoice) {
  const places = addressColumns(table);
  if (accounts.length > 0 && places.length === 0)
    throw new ExportChoiceError(`${table.name} has no column with addresses for --account`);
  const isBounded = from !== undefined || to !== undefined;
  if (isBounded && table.isSnapshot)
    throw new ExportChoiceError(
      `${table.name} has current states only: --from and --to select days of history`,
    );
  return {
    where: [
      ...(from === undefined ? [] : [`${PARTITION} >= {from:Date}`]),
      ...(to === undefined ? [] : [`${PARTITION} <= {to:Date}`]),
      ...(accounts.length === 0 ? [] : [`(${places.map(ofAccounts).join(' OR ')})`]),
    ],
    params: {
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      ...(accounts.length > 0 && { accounts }),
    },
  };
}

function toWhere(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
}
