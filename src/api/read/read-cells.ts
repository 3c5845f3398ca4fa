import { metaDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import { BocError } from '../../ton/boc/boc-error.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import { readCell } from '../../ton/cell/cells-of-bag.ts';
import { PartialCells } from '../../ton/cell/partial-cells.ts';
import { fromBase64 } from '../../ton/hash/base64.ts';
import { hash8, hashList, parts, u64List } from './key-lists.ts';
import type { ReadScope } from './read-scope.ts';

/** Each look-up answers at least one level of a tree; cells of one account's state are seldom spread over so many blocks. */
const MOST_ROUNDS = 64;
/** An account has at most 65,536 cells (`max_acc_state_cells`); an answer may be about many accounts. */
const MOST_CELLS = 1_000_000;

type CellScope = Pick<ReadScope, 'databases' | 'context' | 'query'>;

/** `Cell.key` of a hash in base64 or bytes. */
export function cellKey(hash: string | Uint8Array): string {
  return (typeof hash === 'string' ? Buffer.from(hash, 'base64') : Buffer.from(hash)).toString('latin1');
}

/** Adds the cells of a bag; answers whether any was new. What is no bag with one root has none. */
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
 * Adds to `cells` what is missing at or below some hashes (`Cell.key`), from wherever in the index it stands: a block
 * leaves out of an account what any account of its shard had before. One query for each level that is missing.
 */
export async function findCells(
  scope: CellScope,
  cells: PartialCells,
  keys: Iterable<string>,
): Promise<void> {
  const wanted = [...keys];
  for (let round = 0; round < MOST_ROUNDS && cells.size < MOST_CELLS; round++) {
    const missing = [...cells.missing(wanted)].map((key) => Buffer.from(key, 'latin1').toString('hex'));
    if (missing.length === 0) return;
    let isNew = false;
    for (const some of parts(missing))
      for (const boc of await readBags(scope, some)) isNew = addBag(cells, boc) || isNew;
    if (!isNew) return;
  }
}

/** The cells of some hashes (`Cell.key`) that the index has whole, by hash. `bags`: where they may be found at once. */
export async function readWholeCells(
  scope: CellScope,
  keys: readonly string[],
  bags: readonly Uint8Array[],
): Promise<ReadonlyMap<string, Cell>> {
  const cells = new PartialCells();
  for (const boc of bags) addBag(cells, boc);
  await findCells(scope, cells, keys);
  return new Map(
    keys.flatMap((key) => {
      const cell = cells.whole(key);
      return cell ? [[key, cell] as const] : [];
    }),
  );
}

/** Bags in which cells (hex) stand; none where no version of `contracts` that knows of cells is served. */
async function readBags(scope: CellScope, hashes: readonly string[]): Promise<readonly Uint8Array[]> {
  const contracts = cellIndex(scope);
  if (contracts === null) return [];
  const meta = metaDatabase(scope.context.network.label);
  const places = `SELECT account, workchain, lt FROM ${contracts}.cell_places WHERE hash8 IN ${u64List(hashes.map(hash8))} ORDER BY hash8, lt LIMIT 1 BY hash8`;
  const rows = await scope.query({
    sql:
      `SELECT base64Encode(boc) FROM ${scope.databases.base}.account_cells WHERE (account, workchain, lt) IN (${places}) ` +
      `UNION ALL SELECT base64Encode(boc) FROM ${meta}.fetched_cells WHERE hash IN ${hashList(hashes)}`,
    params: {},
  });
  return rows.flatMap(([boc]) => fromBase64(String(boc)) ?? []);
}

/**
 * The database that says where cells stand; null for none. It is not asked for as others are: a hash names one cell whatever version
 * knows it, and an answer does not wait for the projection.
 */
export function cellIndex({ context }: Pick<ReadScope, 'context'>): string | null {
  const view = context.vector().contracts;
  if (view.state === 'off') return null;
  const tables = context.tablesOf?.(view.database) ?? null;
  return tables && !('cell_places' in tables) ? null : view.database;
}
