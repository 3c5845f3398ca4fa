import { type Boc, LIBRARY, onlyRoot, PRUNED, parseBoc } from '../../ton/boc/boc.ts';
import { CellHashes } from '../../ton/boc/cell-hashes.ts';
import { CellSlice } from '../../ton/boc/cell-slice.ts';
import { serializeCell } from '../../ton/boc/serialize.ts';
import { readMethodIds } from '../../ton/contracts/codes/method-ids.ts';
import { isContractLayout } from '../../ton/contracts/contract-layouts.ts';
import { isKnownLayout, type ReadToken, readToken } from '../../ton/contracts/known-layouts.ts';
import type { TableView } from '../../ton/kernel/table-view.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import { loadAccount } from '../../ton/tlb/account/account.ts';
import { hashAt, StringCursor } from './decoded-rows.ts';
import { type CodeFact, NO_CELLS, type ShownContract, type StateCells, type StateFact } from './fact.ts';
import type { IsOwn } from './own-part.ts';
import { stateCells } from './state-cells.ts';

/** Facts in the cell of an account. */
interface CellFacts {
  readonly token: ReadToken;
  readonly contract: ShownContract;
  readonly cells: StateCells;
}

/** The cell of an account. */
interface AccountCell {
  readonly boc: Boc;
  readonly root: number;
  /** Cells of its code and data; null without any. */
  readonly init: { readonly code: number; readonly data: number } | null;
}

const NOTHING: CellFacts = { token: null, contract: null, cells: NO_CELLS };
/** Bytes of a data cell that are kept: the owner of a name may give it any number of records. */
const MAX_DATA = 1 << 16;

/** Which facts are wanted of states. */
interface WantedFacts {
  /** Whether cells that states leave out are named, since the index may not have them. */
  readonly namesAbsent: boolean;
  /** Of which accounts and codes. */
  readonly isOwn: IsOwn;
}

/**
 * A fact for every state of decoded rows, in their order, and one before it for each code that is shown complete, once a
 * step. Cells are rows of their own, in the order of the states that have one.
 */
export function* stateFacts(
  states: TableView,
  cells: TableView | undefined,
  { namesAbsent, isOwn }: WantedFacts,
): Generator<StateFact | CodeFact> {
  const bags = cells && new CellRows(cells);
  const codes = new Set<string>();
  for (let row = 0; row < states.rows; row++) {
    const account = { workchain: states.int32('workchain', row), address: hashAt(states, 'account', row) };
    const codeHash = hashAt(states, 'code_hash', row);
    const bag = bags?.of(account, hashAt(states, 'hash', row));
    const isWanted = isOwn(account.address);
    const isOwnCode = isOwn(codeHash);
    if (!isWanted && !isOwnCode) continue;
    const codeName = codeHash.toString('hex');
    const position = states.uint32('mc_seqno', row);
    const name = `${position} ${codeName}`;
    const isNewCode = isOwnCode && !codes.has(name);
    const cell = bag && (isWanted || isNewCode) ? openCell(bag) : null;
    const methods = cell && isNewCode ? readMethods(cell) : null;
    if (methods) {
      codes.add(name);
      yield { type: 'code', position, codeHash, methods };
    }
    if (!isWanted) continue;
    const found = cell ? readCell(cell, account, codeName) : NOTHING;
    const { token, contract } = found;
    const dataHash = hashAt(states, 'data_hash', row);
    const lt = states.uint64('lt', row);
    const now = states.uint32('now', row);
    const own = namesAbsent ? found.cells : { ...found.cells, absent: NO_CELLS.absent };
    yield { type: 'state', position, account, lt, now, codeHash, dataHash, token, contract, cells: own };
  }
}

/** The rows of `account_cells`, walked in step with `account_states`. */
class CellRows {
  readonly #view: TableView;
  readonly #bags: StringCursor;
  #row = 0;

  constructor(view: TableView) {
    this.#view = view;
    this.#bags = new StringCursor(view, 'boc');
  }

  /** The next row, if it is this state's. */
  of({ address }: AccountAddress, hash: Buffer): Buffer | null {
    if (this.#row === this.#view.rows) return null;
    const isIts =
      hashAt(this.#view, 'hash', this.#row).equals(hash) &&
      hashAt(this.#view, 'account', this.#row).equals(address);
    if (!isIts) return null;
    this.#row++;
    return this.#bags.next();
  }
}

function openCell(bag: Buffer): AccountCell {
  const boc = parseBoc(bag);
  const root = onlyRoot(boc);
  const found = loadAccount(new CellSlice(boc, root));
  return { boc, root, init: found?.state.status === 'active' ? found.state.init : null };
}

/** Methods of the code; null if the cell omits it, or it is a library cell. */
function readMethods({ boc, init }: AccountCell): readonly number[] | null {
  if (!init) return null;
  const { code } = init;
  const isShown = code >= 0 && boc.complete[code] === 1 && boc.type[code] !== LIBRARY;
  return isShown ? readMethodIds(boc, code) : null;
}

function readCell({ boc, root, init }: AccountCell, account: AccountAddress, codeHash: string): CellFacts {
  const hashes = new CellHashes(boc);
  const cells = stateCells(hashes, root);
  if (!init) return { ...NOTHING, cells };
  const { code, data } = init;
  const token = isKnownLayout(codeHash) ? readToken(codeHash, { boc, hashes, account, code, data }) : null;
  const contract = isContractLayout(codeHash) ? shownContract(hashes, code, data) : null;
  return { token, contract, cells };
}

function shownContract(hashes: CellHashes, code: number, data: number): ShownContract {
  const { boc } = hashes;
  if (data < 0) return null;
  if (boc.type[data] === PRUNED) return 'hidden';
  const bag = serializeCell(boc, data);
  return bag.length > MAX_DATA ? 'large' : { codeDepth: hashes.depth(code, 0), data: bag };
}
