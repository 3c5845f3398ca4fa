import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import { fromBase64, toBase64 } from '../../ton/hash/base64.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import { accountParameters, IS_ACCOUNT } from '../read/account-key.ts';
import { readAccountState } from '../read/account-state.ts';
import type { ReadScope } from '../read/read-scope.ts';
import { notHeld } from './need-chain.ts';
import { wholeAccount } from './whole-account.ts';

/** States of an account that are looked into for what its block left out. */
const MOST_STATES = 1_000;

/** The ShardAccount; null for an account that did not exist. @throws HttpError it is not held whole */
export async function readStoredAccount(
  scope: ReadScope,
  address: AccountAddress,
  mcSeqno: number,
): Promise<string | null> {
  const account = { workchain: address.workchain, hash: address.address, form: 'raw' as const };
  const state = await readAccountState(scope, account, mcSeqno);
  if (state.status === 'nonexist') return null;
  const params = { ...accountParameters(account), lt: state.lt, hash: state.hash };
  const cells = `SELECT base64Encode(boc) FROM ${scope.database}.account_cells WHERE ${IS_ACCOUNT}`;
  const read = async (sql: string) =>
    (await scope.query({ sql, params })).map(([boc]) => fromBase64(String(boc))!);
  const own = await read(`${cells} AND lt = {lt:UInt64} AND hash = base64Decode({hash:String}) LIMIT 1`);
  let cell = wholeAccount(own);
  if (cell === null && own.length > 0) {
    const earlier = `${cells} AND lt <= {lt:UInt64} ORDER BY lt`;
    const others = await read(
      `SELECT * FROM (${earlier} LIMIT 1) UNION ALL SELECT * FROM (${earlier} DESC LIMIT ${MOST_STATES})`,
    );
    cell = wholeAccount([...own, ...others]);
  }
  if (cell === null) throw notHeld('the account is not stored whole');
  const builder = new CellBuilder().ref(cell).bytes(fromBase64(state.last_trans_hash)!);
  return toBase64(writeBag(builder.u64(BigInt(state.lt)).cell(), { index: false }));
}
