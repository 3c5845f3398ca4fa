import { metaDatabase } from '../../../platform/clickhouse/migrations/database-names.ts';
import { RowBinary } from '../../../tables/row-binary.ts';
import { BocError } from '../../../ton/boc/boc-error.ts';
import type { Cell } from '../../../ton/cell/cell.ts';
import { readCell } from '../../../ton/cell/cells-of-bag.ts';
import { PartialCells } from '../../../ton/cell/partial-cells.ts';
import { wellKnownCell } from '../../../ton/contracts/codes/well-known-libraries.ts';
import type { AccountId } from '../../query/account-id.ts';
import { accountKey, hash8, parts, toHashes, toNumbers } from '../../query/keys.ts';
import type { ReadScope } from '../../query/scope.ts';
import { MAX_SHARED_KEYS, SharedLookUp } from '../../query/shared-look-up.ts';
import { identifier, join, type Sql, sql } from '../../query/sql.ts';

/** Each look-up answers at least one level of a tree; cells of one account's state are seldom spread over so many blocks. */
const MAX_ROUNDS = 64;
/** An account has at most 65,536 cells (`max_acc_state_cells`); an answer may be about many accounts. */
const MAX_CELLS = 1_000_000;

/** `Cell.key` of a hash in base64 or bytes. */
export function cellKey(hash: string | Uint8Array): string {
  return (typeof hash === 'string' ? Buffer.from(hash, 'base64') : Buffer.from(hash)).toString('latin1');
}

/** Adds the cells of a bag; answers whether any was new. Bytes that are no bag with one root have none. */
export function addBag(cells: PartialCells, bytes: Uint8Array | null): boolean {
  if (!bytes) return false;
  try {
    return cells.add(readCell(bytes));
  } catch (error) {
    if (error instanceof BocError) return false;
    throw error;
  }
}

/**
 * Adds missing cells at or below some hashes (`Cell.key`) to `cells`, from anywhere in the index: a block omits what
 * any account of its shard had before. One query for each missing level.
 */
export async function findCells(
  scope: ReadScope,
  cells: PartialCells,
  keys: Iterable<string>,
): Promise<void> {
  const wanted = [...keys];
  for (let round = 0; round < MAX_ROUNDS && cells.size < MAX_CELLS; round++) {
    addWellKnown(cells, wanted);
    const missing = [...cells.missing(wanted)].map(toHex);
    if (missing.length === 0) return;
    let isNew = false;
    for (const some of parts(missing))
      for (const boc of await readBags(scope, some)) isNew = addBag(cells, boc) || isNew;
    if (!isNew) return;
  }
}

function toHex(key: string): string {
  return Buffer.from(key, 'latin1').toString('hex');
}

/** Adds what is missing of codes that come with the product. */
function addWellKnown(cells: PartialCells, keys: readonly string[]): void {
  for (const key of cells.missing(keys)) {
    const cell = wellKnownCell(toHex(key));
    if (cell) cells.add(cell);
  }
}

/** Adds the cells of some hashes (`Cell.key`) to `cells`, from anywhere in the index, without their references. */
export async function findRoots(
  scope: ReadScope,
  cells: PartialCells,
  keys: readonly string[],
): Promise<void> {
  const missing = new Set(keys.filter((key) => !cells.root(key)));
  if (missing.size === 0) return;
  for (const some of parts([...missing].map((key) => Buffer.from(key, 'latin1').toString('hex'))))
    for (const boc of await readBags(scope, some)) addBag(cells, boc);
}

/** Cells of bags, with those of codes that come with the product and that some hashes (`Cell.key`) need. */
export function joinBags(bags: readonly Uint8Array[], keys: readonly string[]): PartialCells {
  const cells = new PartialCells();
  for (const boc of bags) addBag(cells, boc);
  addWellKnown(cells, keys);
  return cells;
}

/** The complete cells of some hashes (`Cell.key`), by hash. `bags`: where they may be found at once. */
export async function readCompleteCells(
  scope: ReadScope,
  keys: readonly string[],
  bags: readonly Uint8Array[],
): Promise<ReadonlyMap<string, Cell>> {
  const cells = joinBags(bags, keys);
  await findCells(scope, cells, keys);
  return new Map(
    keys.flatMap((key) => {
      const cell = cells.resolve(key);
      return cell ? [[key, cell] as const] : [];
    }),
  );
}

/** Bags by the first 8 bytes, as a number, of the hash of a contained cell. */
type Bags = ReadonlyMap<bigint, readonly Uint8Array[]>;

const BAGS = new SharedLookUp<Bags>(loadBags);

/** Bags that contain cells (hex); none if no version of `contracts` with cells is served. */
async function readBags(scope: ReadScope, hashes: readonly string[]): Promise<readonly Uint8Array[]> {
  if (cellIndex(scope) === null) return [];
  const isShared = hashes.length <= MAX_SHARED_KEYS;
  const bags = await (isShared ? BAGS.find(scope, hashes) : loadBags(scope, hashes));
  return [...new Set(hashes.flatMap((hash) => bags.get(hash8(hash)) ?? []))];
}

/** The first places of cells; then, if any is known, their bags. */
async function loadBags(scope: ReadScope, hashes: readonly string[]): Promise<Bags> {
  const contracts = cellIndex(scope);
  const bags = new Map<bigint, Uint8Array[]>();
  if (contracts === null) return bags;
  const add = (cell: bigint, bag: Uint8Array) => {
    const known = bags.get(cell);
    if (known) known.push(bag);
    else bags.set(cell, [bag]);
  };
  const meta = metaDatabase(scope.context.network.label);
  const cellsAt = new Map<string, { readonly place: Place; readonly cells: bigint[] }>();
  const places = await scope.queryBytes(planPlaces(contracts, meta, hashes));
  for (const rows = new RowBinary(places); rows.more; ) {
    const [cell, place, fetched] = [rows.u64(), readPlace(rows), rows.string()];
    if (fetched.length > 0) add(cell, fetched);
    else cellsAt.set(toName(place), { place, cells: [...(cellsAt.get(toName(place))?.cells ?? []), cell] });
  }
  if (cellsAt.size === 0) return bags;
  const stored = await scope.queryBytes(
    planBags(
      scope.databases.base,
      [...cellsAt.values()].map(({ place }) => place),
    ),
  );
  for (const rows = new RowBinary(stored); rows.more; ) {
    const [cells, bag] = [cellsAt.get(toName(readPlace(rows)))?.cells ?? [], rows.string()];
    for (const cell of cells) add(cell, bag);
  }
  return bags;
}

/** The transaction after which a cell was first seen. */
interface Place {
  readonly account: AccountId;
  readonly lt: bigint;
}

/** The next account, workchain and lt of a row. */
function readPlace(rows: RowBinary): Place {
  const hash = rows.fixed(32).toString('hex');
  return { account: { hash, workchain: rows.i32() }, lt: rows.u64() };
}

function toName({ account: { hash, workchain }, lt }: Place): string {
  return `${workchain}:${hash} ${lt}`;
}

/** Rows (hash8, account, workchain, lt, boc): the first place of each cell, and cells that were fetched, which have no place. */
function planPlaces(contracts: string, meta: string, hashes: readonly string[]): Sql {
  const [places, fetched] = [identifier(contracts, 'cell_places'), identifier(meta, 'fetched_cells')];
  const first = sql`SELECT hash8, account, workchain, lt, '' FROM ${places} WHERE hash8 IN ${toNumbers(hashes.map(hash8))} ORDER BY hash8, lt LIMIT 1 BY hash8`;
  const others = sql`SELECT reinterpretAsUInt64(reverse(substring(hash, 1, 8))), toFixedString('', 32), toInt32(0), toUInt64(0), boc FROM ${fetched} WHERE hash IN ${toHashes(hashes)}`;
  return sql`SELECT * FROM (${first}) UNION ALL ${others}`;
}

/** Rows (account, workchain, lt, boc) of places. */
function planBags(database: string, places: readonly Place[]): Sql {
  const columns = sql`account, workchain, lt`;
  const keys = join(
    places.map(({ account, lt }) => accountKey(account, lt)),
    ',',
  );
  return sql`SELECT ${columns}, boc FROM ${identifier(database, 'account_cells')} PREWHERE (${columns}) IN (${keys})`;
}

/**
 * The database with the places of cells; null for none. It is not declared like others: a hash names one cell in every
 * version, and an answer does not wait for the projection.
 */
export function cellIndex({ context }: Pick<ReadScope, 'context'>): string | null {
  const view = context.vector().contracts;
  return view.state === 'off' ? null : view.database;
}
