import { DataError } from '../../platform/errors/error-kinds.ts';
import { type Boc, MERKLE_PROOF, ORDINARY, onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import { CellError } from '../../ton/boc/cell-error.ts';
import { CellSlice } from '../../ton/boc/cell-slice.ts';
import { isComplete } from '../../ton/boc/serialize.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import { CellsOfBag } from '../../ton/cell/cells-of-bag.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import { loadAccount } from '../../ton/tlb/account/account.ts';
import { loadLibraries } from '../../ton/tlb/account/lib-descr.ts';
import { loadShardAccount } from '../../ton/tlb/account/shard-account.ts';
import { forEachShardAccount } from '../../ton/tlb/account/shard-accounts.ts';
import { loadShardStateUnsplit } from '../../ton/tlb/block/shard-state.ts';
import { loadWholeCell } from '../../ton/tlb/whole-cell.ts';
import { readLibraries } from '../ledger/account-entry.ts';
import { type ForkedParam, readForkedParams } from './fork-config.ts';

/** An account as a file has it. */
export interface ReadAccount {
  /** null: the address has an anycast prefix or a length of its own, which a local chain does not support. */
  readonly address: AccountAddress | null;
  /** The cell of the Account. */
  readonly account: Cell;
  /** `last_trans_lt` of the Account: of two states the higher one is newer. */
  readonly lt: bigint;
  /** Libraries that it publishes: none outside the masterchain. */
  readonly published: readonly Cell[];
}

/** Parameters of a masterchain state that a local chain takes over. */
export interface ForkedConfig {
  readonly params: readonly ForkedParam[];
  /** Masterchain seqno of the state: of two configurations the higher one is newer. */
  readonly seqno: number;
}

/** Content of a file of `--fork`. */
export interface ForkFile {
  readonly accounts: readonly ReadAccount[];
  /** Public libraries of a masterchain state. */
  readonly libraries: readonly Cell[];
  /** A cell that is neither an account nor a state; null for these. */
  readonly other: Cell | null;
  /** Configuration of a masterchain state; null for another cell. */
  readonly config: ForkedConfig | null;
  /** Cells of the file. */
  readonly cellCount: number;
}

/** The file has no content that a fork can take. */
class ForkContentError extends DataError {}

const STATE = 0x9023afe2;
const SPLIT_STATE = 0x5f327da5;
/** A ShardAccount: the hash and lt of the last transaction, and a reference to the Account. */
const SHARD_ACCOUNT_BITS = 256 + 64;
const MASTERCHAIN = -1;

/**
 * Reads a bag of cells: a ShardStateUnsplit, a ShardAccount, an Account or any other complete cell. A bag of more than
 * `maxCells` is refused before its cells are read.
 * @throws BocError, CellError, ForkContentError
 */
export function readForkFile(bytes: Uint8Array, maxCells: number): ForkFile {
  const boc = parseBoc(bytes, { maxCells });
  const root = onlyRoot(boc);
  if (boc.type[root] === MERKLE_PROOF)
    throw new ForkContentError('expected a complete cell, found a Merkle proof');
  if (!isComplete(boc, root))
    throw new ForkContentError('expected a complete cell, found one with pruned branches');
  const { cellCount } = boc;
  const nothing: ForkFile = { accounts: [], libraries: [], other: null, config: null, cellCount };
  const cells = new CellsOfBag(boc);
  if (boc.type[root] !== ORDINARY) return { ...nothing, other: cells.cell(root) };
  const head = new CellSlice(boc, root);
  const tag = head.bitsLeft >= 32 ? head.peekUint(32) : 0;
  if (tag === STATE) return { ...nothing, ...readState(cells, root) };
  if (tag === SPLIT_STATE)
    throw new ForkContentError('expected the state of one shard, found the states of two');
  const account = findAccount(boc, root);
  if (account === null) return { ...nothing, other: cells.cell(root) };
  return { ...nothing, accounts: toAccount(cells, account) };
}

function readState(cells: CellsOfBag, root: number): Omit<ForkFile, 'other' | 'cellCount'> {
  const { boc } = cells;
  const {
    shard,
    seqno,
    custom,
    accounts: dictionary,
    totals,
  } = loadWholeCell(boc, root, 'ShardState', loadShardStateUnsplit);
  const accounts: ReadAccount[] = [];
  forEachShardAccount(boc, dictionary, (_address, { account }) => {
    accounts.push(...toAccount(cells, account));
  });
  const dict = totals?.libraries ?? -1;
  const found = dict < 0 ? [] : loadLibraries(boc, dict);
  const libraries = found.map(({ descr }) => cells.cell(descr.lib));
  const hasConfig = shard.workchain === MASTERCHAIN && custom >= 0;
  const config = hasConfig ? { params: readForkedParams(cells, custom), seqno } : null;
  return { accounts, libraries, config };
}

/** Empty for `account_none`. */
function toAccount(cells: CellsOfBag, cell: number): ReadAccount[] {
  const account = loadWholeCell(cells.boc, cell, 'Account', loadAccount);
  if (account === null) return [];
  const { addr, state, lastTransLt: lt } = account;
  const isPlain = addr.kind === 'std' && addr.anycast === null;
  const address = isPlain ? { workchain: addr.workchain, address: addr.address } : null;
  const isPublisher = addr.workchain === MASTERCHAIN && state.status === 'active';
  const published = isPublisher ? [...readLibraries(cells, state.init.library).values()] : [];
  return [{ address, account: cells.cell(cell), lt, published }];
}

/** Index of the Account that the root is or refers to; null if the root is another kind of cell. */
function findAccount(boc: Boc, root: number): number | null {
  const slice = new CellSlice(boc, root);
  if (slice.bitsLeft === SHARD_ACCOUNT_BITS && slice.refsLeft === 1) {
    const { account } = loadShardAccount(slice);
    if (isAccount(boc, account)) return account;
  }
  return isAccount(boc, root) ? root : null;
}

function isAccount(boc: Boc, cell: number): boolean {
  try {
    loadWholeCell(boc, cell, 'Account', loadAccount);
    return true;
  } catch (error) {
    if (error instanceof CellError) return false;
    throw error;
  }
}
