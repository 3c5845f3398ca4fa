import { onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import { CellHashes } from '../../ton/boc/cell-hashes.ts';
import { forEachLeaf } from '../../ton/boc/hashmap.ts';
import { serializeCell } from '../../ton/boc/serialize.ts';
import { fromBase64 } from '../../ton/hash/base64.ts';
import { toHex } from '../../ton/hash/hex.ts';
import { loadAccount } from '../../ton/tlb/account/account.ts';
import { loadShardAccount } from '../../ton/tlb/account/shard-account.ts';
import { loadSimpleLib } from '../../ton/tlb/message/simple-lib.ts';
import { loadWholeCell } from '../../ton/tlb/whole-cell.ts';
import { cellIndex } from '../entities/accounts/cell-index.ts';
import { hash8, toNumbers } from '../query/keys.ts';
import type { ReadScope } from '../query/scope.ts';
import { identifier, sql, u32 } from '../query/sql.ts';
import { notHeld } from './need-chain.ts';
import { readStoredAccount } from './stored-account.ts';

/** Accounts of the masterchain that are looked at for the cell of one library: those that had it first. */
const MAX_PUBLISHERS = 16;

/** Libraries by their hashes (lower-case hex), each as a bag. */
type Libraries = ReadonlyMap<string, Uint8Array>;

/**
 * Public libraries from the states of the store, as bags: the ones that an account of the masterchain publishes after
 * its newest block. Null for others, even if the index has a cell of that hash.
 *
 * @throws HttpError if no version of `contracts` knows the places of cells, or an account is incomplete
 */
export async function readPublicLibraries(
  scope: ReadScope,
  hashes: readonly Uint8Array[],
): Promise<readonly (Uint8Array | null)[]> {
  const found = new Map<string, Uint8Array>();
  for (const account of await readPublishers(scope, hashes.map(toHex)))
    for (const [hash, bag] of await readPublished(scope, account)) found.set(hash, bag);
  return hashes.map((hash) => found.get(toHex(hash)) ?? null);
}

/** Accounts of the masterchain whose states contain cells of these hashes. */
async function readPublishers(scope: ReadScope, hashes: readonly string[]): Promise<readonly Uint8Array[]> {
  const contracts = cellIndex(scope);
  if (contracts === null) throw notHeld('libraries of this source are not stored');
  const rows = await scope.query(
    sql`SELECT DISTINCT lower(hex(account)) FROM (SELECT account FROM ${identifier(contracts, 'cell_places')} WHERE hash8 IN ${toNumbers(hashes.map(hash8))} AND workchain = -1 ORDER BY hash8, lt LIMIT ${u32(MAX_PUBLISHERS)} BY hash8)`,
  );
  return rows.map(([account]) => Buffer.from(String(account), 'hex'));
}

/** Libraries that an account of the masterchain publishes. */
async function readPublished(scope: ReadScope, address: Uint8Array): Promise<Libraries> {
  const stored = await readStoredAccount(scope, { workchain: -1, address }, scope.visible.last);
  return stored === null ? new Map() : parseLibraries(fromBase64(stored)!);
}

// library:(HashmapE 256 SimpleLib)
function parseLibraries(shardAccount: Uint8Array): Libraries {
  const boc = parseBoc(shardAccount);
  const { account: cell } = loadWholeCell(boc, onlyRoot(boc), 'ShardAccount', loadShardAccount);
  const account = loadWholeCell(boc, cell, 'Account', loadAccount);
  const root = account?.state.status === 'active' ? account.state.init.library : -1;
  const found = new Map<string, Uint8Array>();
  if (root < 0) return found;
  const hashes = new CellHashes(boc);
  forEachLeaf(boc, root, 256, (_hash, value) => {
    const library = loadSimpleLib(value);
    if (library.public) found.set(toHex(hashes.hash(library.root)), serializeCell(boc, library.root));
  });
  return found;
}
