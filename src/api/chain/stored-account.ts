import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { PartialCells } from '../../ton/cell/partial-cells.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import { fromBase64, toBase64 } from '../../ton/hash/base64.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import { addBag, cellIndex, cellKey, findCells } from '../entities/accounts/cell-index.ts';
import { readAccountState } from '../entities/accounts/find-state.ts';
import { type AccountId, rawAddress } from '../query/account-id.ts';
import { accountId } from '../query/account-key.ts';
import { isAccount } from '../query/keys.ts';
import type { ReadScope } from '../query/scope.ts';
import { identifier, type Sql, sql, text, u32, u64 } from '../query/sql.ts';
import { notHeld } from './need-chain.ts';

/** Newest states of an account that are looked into for what its block left out, before the rest of the index is. */
const OWN_STATES = 16;
/** The same limit if the cell's state is unknown. */
const OWN_STATES_ALONE = 1_000;

/** Names the cells of an account that no block of the index shows. */
function describeMissingCells(account: AccountId, missing: ReadonlySet<string>): string {
  const [first = ''] = missing;
  const more = missing.size > 1 ? ` and ${missing.size - 1} more` : '';
  const cell = Buffer.from(first, 'latin1').toString('hex');
  return `account ${rawAddress(account)} is not stored whole: cell ${cell}${more} missing`;
}

/** The ShardAccount; null for an account that did not exist. @throws HttpError it is not held whole */
export async function readStoredAccount(
  scope: ReadScope,
  address: AccountAddress,
  mcSeqno: number,
): Promise<string | null> {
  const account = { workchain: address.workchain, hash: address.address, form: 'raw' as const };
  const state = await readAccountState(scope, account, mcSeqno);
  if (state.status === 'nonexist') return null;
  const bags = sql`SELECT base64Encode(boc) FROM ${identifier(scope.databases.base, 'account_cells')} WHERE ${isAccount(accountId(account))}`;
  const [key, cells] = [cellKey(state.hash), new PartialCells()];
  const read = async (statement: Sql) => {
    for (const [boc] of await scope.query(statement)) addBag(cells, fromBase64(String(boc)));
    return cells.missing([key]).size === 0;
  };
  const lt = u64(state.lt);
  if (!(await read(sql`${bags} AND lt = ${lt} AND hash = base64Decode(${text(state.hash)}) LIMIT 1`))) {
    // The account's first state came with its code.
    const own = sql`${bags} AND lt <= ${lt} ORDER BY lt`;
    const most = u32(cellIndex(scope) ? OWN_STATES : OWN_STATES_ALONE);
    const isComplete = await read(
      sql`SELECT * FROM (${own} LIMIT 1) UNION ALL SELECT * FROM (${own} DESC LIMIT ${most})`,
    );
    if (!isComplete) await findCells(scope, cells, [key]);
  }
  const cell = cells.resolve(key);
  if (!cell) throw notHeld(describeMissingCells(accountId(account), cells.missing([key])));
  const builder = new CellBuilder().ref(cell).bytes(fromBase64(state.last_trans_hash)!);
  return toBase64(writeBag(builder.u64(BigInt(state.lt)).cell(), { index: false }));
}
