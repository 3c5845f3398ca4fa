import type { ParsedAddress } from '../../ton/address/address.ts';
import { readContents } from '../entities/accounts/cells.ts';
import type { CodeAndData } from '../entities/accounts/code-and-data.ts';
import { readAccountState } from '../entities/accounts/find-state.ts';
import type { AccountStateRow } from '../entities/accounts/model.ts';
import { ZERO_HASH } from '../entities/accounts/none-account.ts';
import type { ReadScope } from '../query/scope.ts';
import { readShardAccount } from './account-of-view.ts';

/** A state with its code and data; each empty if absent or incomplete. */
export interface AccountContents extends CodeAndData {
  readonly state: AccountStateRow;
}

const NONE: CodeAndData = { code: new Uint8Array(0), data: new Uint8Array(0) };

/** The state of an account after a masterchain block of the visible range, its code and data. */
export async function readAccount(
  scope: ReadScope,
  address: ParsedAddress,
  mcSeqno: number,
): Promise<AccountContents> {
  const state = await readAccountState(scope, address, mcSeqno);
  return { state, ...(await readCodeAndData(scope, address, state, mcSeqno)) };
}

/** Code and data from the store, or from the chain itself where blocks left out a part of them. */
export async function readCodeAndData(
  scope: ReadScope,
  address: ParsedAddress,
  state: AccountStateRow,
  mcSeqno: number,
): Promise<CodeAndData> {
  if (state.status !== 'active') return NONE;
  const [stored = NONE] = await readContents(scope, [state]);
  const lacks = (part: Uint8Array, hash: string) => part.length === 0 && hash !== ZERO_HASH;
  if (!lacks(stored.code, state.code_hash) && !lacks(stored.data, state.data_hash)) return stored;
  const account = { workchain: address.workchain, address: address.hash };
  const view = await scope.context.chain?.states?.view(account, mcSeqno);
  const known = readShardAccount(view?.shardAccount ?? null);
  if (known?.lastTransLt.toString() !== state.lt) return stored;
  return { code: known.code ?? stored.code, data: known.data ?? stored.data };
}
