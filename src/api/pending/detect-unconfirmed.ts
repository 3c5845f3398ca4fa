import { LIBRARY, onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import { CellsOfBag } from '../../ton/cell/cells-of-bag.ts';
import { PartialCells } from '../../ton/cell/partial-cells.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import type { PackedState } from '../../ton/columns/packed-state.ts';
import type { AccountFacts } from '../../ton/contracts/account-facts.ts';
import { methodId } from '../../ton/contracts/codes/method-id.ts';
import { readMethodIds } from '../../ton/contracts/codes/method-ids.ts';
import { mayBeToken } from '../../ton/contracts/unknown-code.ts';
import { toBase64 } from '../../ton/hash/base64.ts';
import type { MethodState } from '../chain/run-get-method.ts';
import { METHOD_KINDS, METHODS, type MethodKind, runMethods } from '../chain/tokens/run-token-methods.ts';
import { cellKey, findCells } from '../entities/accounts/cell-index.ts';
import type { ReadScope } from '../query/scope.ts';
import type { AccountCells, UnconfirmedAccount } from './unconfirmed-account.ts';

type Accounts = ReadonlyMap<string, UnconfirmedAccount>;

/** Accounts of one answer whose get methods are run, and whose cells are looked up. Others stay unknown. */
const MAX_ACCOUNTS = 16;
const MAX_LOOKED_UP = 64;
/**
 * Identifies wallets and items that no table confirms by their get methods, in states that no served block has. Masters and
 * collections are asked too: in such a state if there is one, in the newest stored state otherwise.
 */
export class UnconfirmedDetection {
  readonly #scope: ReadScope;
  readonly #accounts: Accounts;
  /** States that get methods can run on, by raw address. */
  readonly #states = new Map<string, MethodState>();
  #left = MAX_ACCOUNTS;
  #leftToLookUp = MAX_LOOKED_UP;

  constructor(scope: ReadScope, accounts: Accounts) {
    this.#scope = scope;
    this.#accounts = accounts;
  }

  /** Facts of accounts by raw address. Those that are no wallet or item, or one too many, are absent. */
  async find(addresses: readonly string[]): Promise<ReadonlyMap<string, AccountFacts>> {
    const unknown = addresses.filter((address) => isCandidate(this.#accounts.get(address)));
    if (unknown.length === 0 || !this.#scope.context.chain) return new Map();
    await this.#loadStates(unknown.slice(0, this.#leftToLookUp));
    this.#leftToLookUp -= Math.min(this.#leftToLookUp, unknown.length);
    const wanted = unknown.filter((address) => this.#getKinds(address).length > 0).slice(0, this.#left);
    this.#left -= wanted.length;
    const found = await Promise.all(wanted.map((address) => this.#detect(address)));
    return new Map(found.flatMap((facts, i) => (facts ? [[wanted[i] as string, facts] as const] : [])));
  }

  /** Loads states of accounts, and of all others that are here complete: a block omits what it does not change. */
  async #loadStates(addresses: readonly string[]): Promise<void> {
    const cells = new PartialCells();
    for (const { cells: own } of this.#accounts.values()) if (own) addState(cells, own);
    const keys = addresses.flatMap((address) => stateKeys(this.#accounts.get(address)?.state));
    await findCells(this.#scope, cells, keys);
    for (const [address, { state }] of this.#accounts) {
      const [code, data] = stateKeys(state).map((key) => cells.resolve(key));
      if (state && code && data !== null)
        this.#states.set(address, {
          code: writeBag(code),
          data: data ? writeBag(data) : null,
          balance: state.balance,
        });
    }
  }

  /** Kinds that an account may be by its code: any if it is a library cell, which does not show its methods. */
  #getKinds(address: string): readonly MethodKind[] {
    const state = this.#states.get(address);
    if (!state) return [];
    const boc = parseBoc(state.code);
    const code = onlyRoot(boc);
    if (boc.type[code] === LIBRARY) return METHOD_KINDS;
    const ids = readMethodIds(boc, code);
    return METHOD_KINDS.filter((kind) => ids.includes(methodId(METHODS[kind])));
  }

  async #detect(address: string): Promise<AccountFacts | null> {
    const codeHash = this.#accounts.get(address)?.state?.codeHash;
    const account = { address, codeHash: codeHash ? toBase64(codeHash) : null };
    return runMethods(this.#scope, account, { kinds: this.#getKinds(address), states: this.#states });
  }
}

/** True if an account is active under a code that a token may have. */
function isCandidate(account: UnconfirmedAccount | undefined): boolean {
  const codeHash = account?.cells && account.state?.codeHash;
  return codeHash ? mayBeToken(codeHash) : false;
}

/** Keys of the cells of code and data; no data if the state has none. */
function stateKeys(state: PackedState | null | undefined): string[] {
  if (!state?.codeHash) return [];
  return [state.codeHash, ...(state.dataHash ? [state.dataHash] : [])].map(cellKey);
}

function addState(cells: PartialCells, { boc, code, data }: AccountCells): void {
  const bag = new CellsOfBag(boc);
  for (const cell of [code, data]) if (cell >= 0) cells.add(bag.cell(cell));
}
