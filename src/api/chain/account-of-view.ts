import { onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import { serializeCell } from '../../ton/boc/serialize.ts';
import { fromBase64 } from '../../ton/hash/base64.ts';
import { type Account, loadAccount } from '../../ton/tlb/account/account.ts';
import { loadShardAccount } from '../../ton/tlb/account/shard-account.ts';
import { loadWholeCell } from '../../ton/tlb/whole-cell.ts';

/** An account as get methods need it. */
export interface RunnableAccount {
  readonly account: Account;
  /** BoCs; null for none. */
  readonly code: Uint8Array | null;
  readonly data: Uint8Array | null;
  readonly lastTransLt: bigint;
  readonly lastTransHash: Uint8Array;
}

/** Reads a ShardAccount; null for an account that does not exist. */
export function readShardAccount(text: string | null): RunnableAccount | null {
  const bytes = text === null ? null : fromBase64(text);
  if (bytes === null) return null;
  const boc = parseBoc(bytes);
  const { account: cell, ...last } = loadWholeCell(boc, onlyRoot(boc), 'ShardAccount', loadShardAccount);
  const account = loadWholeCell(boc, cell, 'Account', loadAccount);
  if (account === null) return null;
  const init = account.state.status === 'active' ? account.state.init : null;
  const part = (index: number) => (index < 0 ? null : serializeCell(boc, index));
  return { account, code: part(init?.code ?? -1), data: part(init?.data ?? -1), ...last };
}
