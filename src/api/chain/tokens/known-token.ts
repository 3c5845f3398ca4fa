import { type Boc, onlyRoot, parseBoc } from '../../../ton/boc/boc.ts';
import { CellHashes } from '../../../ton/boc/cell-hashes.ts';
import { serializeCell } from '../../../ton/boc/serialize.ts';
import { writeBag } from '../../../ton/cell/write-bag.ts';
import { walletLayout } from '../../../ton/contracts/codes/wallet-layouts.ts';
import { wellKnownCell } from '../../../ton/contracts/codes/well-known-libraries.ts';
import { isContractLayout } from '../../../ton/contracts/contract-layouts.ts';
import { readToken } from '../../../ton/contracts/known-layouts.ts';
import type { TokenState } from '../../../ton/contracts/token-state.ts';
import { sameBytes } from '../../../ton/decode/same-bytes.ts';
import { fromBase64, toBase64 } from '../../../ton/hash/base64.ts';
import { toHex } from '../../../ton/hash/hex.ts';
import type { AccountAddress } from '../../../ton/store/store-address.ts';
import { loadAccount } from '../../../ton/tlb/account/account.ts';
import { loadWholeCell } from '../../../ton/tlb/whole-cell.ts';
import { readAccountState } from '../../entities/accounts/find-state.ts';
import { accountId } from '../../query/account-key.ts';
import { isAccount } from '../../query/keys.ts';
import type { ReadScope } from '../../query/scope.ts';
import { identifier, sql, text, u64 } from '../../query/sql.ts';
import { notHeld } from '../need-chain.ts';

/** A token under a known code, read from its data cell without the TVM. */
export interface KnownToken {
  readonly token: TokenState;
  /** An item that is a name, or sells itself. */
  readonly isName: boolean;
  /** Returns the bag of one of its cells, by hash. @throws NotHeldError the index lacks it */
  cell(hash: Uint8Array): Uint8Array;
}

/**
 * Reads an account as a token by the layout of its code. `none`: it has no code, or that of a wallet. Null if the code has no known
 * layout, or its data is not in the block that changed it.
 * @throws NotHeldError the account is not in the index
 */
export async function readKnownToken(
  scope: ReadScope,
  address: AccountAddress,
  mcSeqno: number,
): Promise<KnownToken | 'none' | null> {
  const account = { workchain: address.workchain, hash: address.address, form: 'raw' as const };
  const state = await readAccountState(scope, account, mcSeqno);
  if (state.status !== 'active' || walletLayout(state.code_hash)) return 'none';
  const [row] = await scope.query(
    sql`SELECT base64Encode(boc) FROM ${identifier(scope.databases.base, 'account_cells')} WHERE ${isAccount(accountId(account))} AND lt = ${u64(state.lt)} AND hash = base64Decode(${text(state.hash)}) LIMIT 1`,
  );
  if (!row) return null;
  const boc = parseBoc(fromBase64(String(row[0]))!);
  const found = loadWholeCell(boc, onlyRoot(boc), 'Account', loadAccount);
  if (found?.state.status !== 'active' || found.state.init.data < 0) return null;
  const hashes = new CellHashes(boc);
  const { code, data } = found.state.init;
  const codeHash = Buffer.from(state.code_hash, 'base64').toString('hex');
  const token = readToken(codeHash, { boc, hashes, account: address, code, data });
  if (token === null || token === 'hidden') return null;
  return { token, isName: isContractLayout(codeHash), cell: (hash) => findCell(boc, hashes, hash) };
}

function findCell(boc: Boc, hashes: CellHashes, hash: Uint8Array): Uint8Array {
  for (let cell = 0; cell < boc.cellCount; cell++)
    if (boc.levelMask[cell] === 0 && sameBytes(hashes.hash(cell), hash)) return serializeCell(boc, cell);
  const known = wellKnownCell(toHex(hash));
  if (!known) throw notHeld(`cell ${toHex(hash)} (base64 ${toBase64(hash)}) is not in this index`);
  return writeBag(known);
}
