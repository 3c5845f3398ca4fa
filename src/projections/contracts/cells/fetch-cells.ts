import { metaDatabase } from '../../../platform/clickhouse/migrations/database-names.ts';
import { encodeNativeBlock } from '../../../platform/clickhouse/native-format.ts';
import { FETCHED_CELLS } from '../../../tables/meta/cells.ts';
import { writtenTypes } from '../../../tables/table.ts';
import { onlyRoot, parseBoc } from '../../../ton/boc/boc.ts';
import { BocError } from '../../../ton/boc/boc-error.ts';
import { CellHashes } from '../../../ton/boc/cell-hashes.ts';
import { serializeCell } from '../../../ton/boc/serialize.ts';
import { TableBuilder } from '../../../ton/columns/table-builder.ts';
import { type CellStore, listMissing } from './missing-cells.ts';
import type { OfferedCell, StateOutlet } from './state-outlet.ts';

/** Cells that are asked for at a time. */
const PAGE = 50_000;
/** Bytes of one insert. */
const INSERT_BYTES = 8 << 20;
const NO_HASH = '00'.repeat(32);

export interface RefusedCell {
  readonly hash: string;
  readonly origin: string;
  readonly reason: string;
}

export interface FetchedCells {
  readonly fetched: number;
  /** Offers that are not what they claim to be. */
  readonly refused: readonly RefusedCell[];
}

/** Asks an outlet for every missing cell and keeps those whose hash is the one that was asked for. */
export async function fetchCells(store: CellStore, outlet: StateOutlet): Promise<FetchedCells> {
  const refused: RefusedCell[] = [];
  let fetched = 0;
  for (let after = NO_HASH; ; ) {
    const page = await listMissing(store, after, PAGE);
    const last = page.at(-1);
    if (last === undefined) return { fetched, refused };
    after = last;
    const wanted = new Set(page);
    refused.push(...(await takeCells(store, wanted, outlet)));
    fetched += page.length - wanted.size;
  }
}

/** Asks an outlet for cells (lower-case hex), stores the offered ones and removes them from `wanted`. Returns the refused ones. */
export async function takeCells(
  store: CellStore,
  wanted: Set<string>,
  outlet: StateOutlet,
): Promise<RefusedCell[]> {
  const refused: RefusedCell[] = [];
  const rows = new FetchedRows(store);
  for await (const offered of outlet.cells(wanted)) {
    if (!wanted.has(offered.hash)) continue;
    const boc = provenCell(offered);
    if (typeof boc === 'string') {
      refused.push({ hash: offered.hash, origin: offered.origin, reason: boc });
      continue;
    }
    wanted.delete(offered.hash);
    await rows.add(offered.hash, boc);
  }
  await rows.flush();
  return refused;
}

/** The cell's bag in its canonical form, or why it is not the cell that was asked for. */
function provenCell({ hash, boc: bytes }: OfferedCell): Uint8Array | string {
  try {
    const boc = parseBoc(bytes);
    const root = onlyRoot(boc);
    if (boc.levelMask[root] !== 0) return 'some of it is left out';
    const found = Buffer.from(new CellHashes(boc).hash(root)).toString('hex');
    return found === hash ? serializeCell(boc, root) : `its hash is ${found}`;
  } catch (error) {
    if (error instanceof BocError) return error.message;
    throw error;
  }
}

class FetchedRows {
  readonly #table = new TableBuilder(FETCHED_CELLS.name, writtenTypes(FETCHED_CELLS));
  readonly #store: CellStore;
  #bytes = 0;

  constructor(store: CellStore) {
    this.#store = store;
  }

  async add(hash: string, boc: Uint8Array): Promise<void> {
    const { col } = this.#table;
    col.hash.push(Buffer.from(hash, 'hex'));
    col.boc.push(boc);
    this.#table.endRow();
    this.#bytes += boc.length;
    if (this.#bytes >= INSERT_BYTES) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#table.rows === 0) return;
    const { client, network } = this.#store;
    const target = `${metaDatabase(network)}.fetched_cells`;
    await client.insertNative(target, encodeNativeBlock(this.#table), { route: 'contracts/fetched-cells' });
    this.#table.reset();
    this.#bytes = 0;
  }
}
