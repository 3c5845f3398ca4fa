import type { ParsedAddress } from '../../../ton/address/address.ts';
import { toHex } from '../../../ton/hash/hex.ts';
import { TRANSACTION_SELECT, type TransactionRow } from '../../entities/transactions/model.ts';
import { readTransactionStatement } from '../../entities/transactions/rows.ts';
import { accountParameters, IS_ACCOUNT } from '../../query/account-key.ts';
import { boundToVisible, type ReadScope } from '../../query/scope.ts';
import { Conditions } from '../../query/statement.ts';

/** Side of a message: its receiver or its sender. */
export type MessageSide = 'in' | 'out';

/** A message between two accounts, by the lt that it was made at, and the end that is wanted. */
export interface LocateQuery {
  readonly source: ParsedAddress;
  readonly destination: ParsedAddress;
  readonly createdLt: bigint;
  readonly side: MessageSide;
}

/** The transaction at one end of a message; null if the message, or that end of it, is not visible. */
export async function readLocated(scope: ReadScope, query: LocateQuery): Promise<TransactionRow | null> {
  const { source, destination, createdLt, side } = query;
  const visible = boundToVisible(new Conditions(), scope.visible);
  const bounds = visible.text;
  visible.bind({
    ...accountParameters(side === 'in' ? destination : source),
    created_lt: `${createdLt}`,
    side,
    source: toHex(source.hash),
    source_workchain: source.workchain,
    destination: toHex(destination.hash),
    destination_workchain: destination.workchain,
  });
  const message =
    `SELECT tx_lt FROM ${scope.databases.base}.messages WHERE created_lt = {created_lt:UInt64} AND side = {side:String} ` +
    "AND source_kind = 'std' AND source = unhex({source:String}) AND source_workchain = {source_workchain:Int32} " +
    "AND destination_kind = 'std' AND destination = unhex({destination:String}) " +
    `AND destination_workchain = {destination_workchain:Int32} AND ${bounds}`;
  const [row] = await readTransactionStatement(
    scope,
    visible.statement(
      `SELECT ${TRANSACTION_SELECT} FROM ${scope.databases.base}.account_transactions ` +
        `WHERE ${IS_ACCOUNT} AND lt IN (${message}) AND ${bounds} LIMIT 1`,
    ),
  );
  return row ?? null;
}
