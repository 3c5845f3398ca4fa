import { type Boc, onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import { CellHashes } from '../../ton/boc/cell-hashes.ts';
import type { PackedState } from '../../ton/columns/packed-state.ts';
import { packedState, readAccount, stateFields } from '../../ton/decode/account-row.ts';
import { fromBase64 } from '../../ton/hash/base64.ts';
import { loadShardAccount } from '../../ton/tlb/account/shard-account.ts';
import { NO_CURRENCIES } from '../../ton/tlb/extra-currency-collection.ts';
import { loadWholeCell } from '../../ton/tlb/whole-cell.ts';

/** An account's state that no served block has, or that a trace begins with. */
export interface UnconfirmedAccount {
  /** null if there is no account. */
  readonly state: PackedState | null;
  /** Its next transaction has this lt at least. */
  readonly endLt: bigint;
  /** null for one that is not active. */
  readonly cells: AccountCells | null;
}

/** Code and data of an account in its bag: cells, -1 for none. */
export interface AccountCells {
  readonly boc: Boc;
  readonly hashes: CellHashes;
  readonly code: number;
  readonly data: number;
}

const NO_ACCOUNT: UnconfirmedAccount = { state: null, endLt: 0n, cells: null };

/** Reads a ShardAccount in base64. @throws BocError, CellError */
export function readShardAccount(text: string): UnconfirmedAccount {
  const boc = parseBoc(fromBase64(text)!);
  const { account } = loadWholeCell(boc, onlyRoot(boc), 'ShardAccount', loadShardAccount);
  return readCell(boc, account);
}

/** Reads an Account cell in a bag of its own, of which parts may be pruned. @throws BocError, CellError */
export function readAccountBag(bytes: Uint8Array): UnconfirmedAccount {
  const boc = parseBoc(bytes);
  return readCell(boc, onlyRoot(boc));
}

function readCell(boc: Boc, cell: number): UnconfirmedAccount {
  const account = readAccount(boc, cell);
  if (!account) return NO_ACCOUNT;
  const hashes = new CellHashes(boc);
  const extra = account.balance.extra ?? NO_CURRENCIES;
  const init = account.state.status === 'active' ? account.state.init : null;
  return {
    state: packedState(stateFields(hashes, cell, account, extra)),
    endLt: account.lastTransLt,
    cells: init && { boc, hashes, code: init.code, data: init.data },
  };
}
