import { keySet } from '../platform/clickhouse/key-set.ts';
import { readCell } from '../ton/cell/cells-of-bag.ts';
import { PartialCells } from '../ton/cell/partial-cells.ts';
import { writeBag } from '../ton/cell/write-bag.ts';
import type {
  DatedFact,
  FactDatabase,
  FactRange,
  FactStores,
  FoundRoot,
  StateSource,
} from './fact-stores.ts';
import { ACCOUNT_KEY, FACT_QUERY } from './read-accounts.ts';

/** Cells asked for by one statement. */
const CELLS = 1_000;

/** The first place of a cell. */
interface Place {
  readonly position: number;
  /** Key of `account_cells`. */
  readonly account: string;
  readonly workchain: number;
  readonly lt: string;
}

/** Roots of the data cells of accounts: the one valid at the start of the range, and each one set within it. */
export async function readData(
  source: StateSource,
  accounts: readonly string[],
  range: FactRange,
): Promise<DatedFact[]> {
  const states = await source.readDataHashes(accounts, range);
  const hashes = [...new Set(states.flatMap(({ hash }) => hash ?? []))];
  const roots = await source.readRoots(hashes, range.last);
  return states.flatMap(({ account, position, hash }): DatedFact[] => {
    const none = { account, position, kind: 'data', facts: null };
    const root = hash === null ? undefined : roots.get(hash);
    if (!root) return [none];
    const found = { ...none, facts: { data: root.bag } };
    return root.position <= position ? [found] : [none, { ...found, position: root.position }];
  });
}

/**
 * Roots of cells by hash (base64). A block omits a cell that its shard had before, so the cell is read from the first place
 * that `contracts` saw. In an index that begins in mid-chain it may be absent, or appear only later.
 */
export async function readRoots(
  { chain, tokens }: Pick<FactStores, 'chain' | 'tokens'>,
  hashes: readonly string[],
  last: number,
): Promise<ReadonlyMap<string, FoundRoot>> {
  const roots = new Map<string, FoundRoot>();
  for (let at = 0; at < hashes.length; at += CELLS) {
    const some = hashes.slice(at, at + CELLS);
    const places = await readPlaces(tokens, some, last);
    const bags = await readBags(chain, [...places.values()]);
    for (const hash of some) {
      const place = places.get(String(hash8(hash)));
      const root = place && findRoot(hash, bags.get(toName(place)) ?? []);
      if (root) roots.set(hash, { position: place.position, bag: root });
    }
  }
  return roots;
}

/** By the first eight bytes of their hashes, as a number. */
async function readPlaces(
  { client, database }: FactDatabase,
  hashes: readonly string[],
  last: number,
): Promise<ReadonlyMap<string, Place>> {
  const { rows } = await client.queryRows<[string, string, number, string, number]>(
    `SELECT toString(hash8), hex(account), workchain, toString(lt), mc_seqno FROM ${database}.cell_places
     WHERE hash8 IN ${keySet(
       ['UInt64'],
       hashes.map((hash) => [hash8(hash)]),
     )} AND mc_seqno <= ${last} ORDER BY hash8, lt LIMIT 1 BY hash8`,
    { route: 'actions/cells', ...FACT_QUERY },
  );
  return new Map(
    rows.map(([cell, account, workchain, lt, position]) => [cell, { position, account, workchain, lt }]),
  );
}

const toName = ({ account, workchain, lt }: Omit<Place, 'position'>) => `${workchain}:${account} ${lt}`;

/** Account cells by their place. */
async function readBags(
  { client, database }: FactDatabase,
  places: readonly Place[],
): Promise<ReadonlyMap<string, readonly Uint8Array[]>> {
  const bags = new Map<string, Uint8Array[]>();
  if (places.length === 0) return bags;
  const distinct = [...new Map(places.map((place) => [toName(place), place])).values()];
  const keys = distinct.map(({ account, workchain, lt }) => [
    Buffer.from(account, 'hex'),
    workchain,
    BigInt(lt),
  ]);
  const { rows } = await client.queryRows<[string, number, string, string]>(
    `SELECT hex(account), workchain, toString(lt), base64Encode(boc) FROM ${database}.account_cells
     WHERE (account, workchain, lt) IN ${keySet([...ACCOUNT_KEY, 'UInt64'], keys)}`,
    { route: 'actions/cells', ...FACT_QUERY },
  );
  for (const [account, workchain, lt, bag] of rows) {
    const name = toName({ account, workchain, lt });
    bags.set(name, [...(bags.get(name) ?? []), Buffer.from(bag, 'base64')]);
  }
  return bags;
}

function hash8(hash: string): bigint {
  return Buffer.from(hash, 'base64').readBigUInt64BE();
}

/** The cell of a hash without its references, which blocks may omit; null if no bag contains it. */
function findRoot(hash: string, bags: readonly Uint8Array[]): Uint8Array | null {
  const cells = new PartialCells();
  for (const bag of bags) cells.add(readCell(bag));
  const root = cells.root(Buffer.from(hash, 'base64').toString('latin1'));
  return root && writeBag(root);
}
