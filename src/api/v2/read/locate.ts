import type { ParsedAddress } from '../../../ton/address/address.ts';
import { isParty } from '../../entities/messages/conditions.ts';
import { TRANSACTION_SELECT, type TransactionRow } from '../../entities/transactions/model.ts';
import { readTransactionStatement } from '../../entities/transactions/rows.ts';
import { accountId } from '../../query/account-key.ts';
import { isAccount } from '../../query/keys.ts';
import { type ReadScope, within } from '../../query/scope.ts';
import { and, identifier, sql, text, u64 } from '../../query/sql.ts';

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
  const { base } = scope.databases;
  const message = and(
    sql`created_lt = ${u64(createdLt)} AND side = ${text(side)}`,
    isParty('source', accountId(source)),
    isParty('destination', accountId(destination)),
    within(scope.visible),
  );
  const lts = sql`SELECT tx_lt FROM ${identifier(base, 'messages')} WHERE ${message}`;
  const account = isAccount(accountId(side === 'in' ? destination : source));
  const [row] = await readTransactionStatement(
    scope,
    sql`SELECT ${TRANSACTION_SELECT} FROM ${identifier(base, 'account_transactions')} WHERE ${account} AND lt IN (${lts}) AND ${within(scope.visible)} LIMIT 1`,
  );
  return row ?? null;
}
