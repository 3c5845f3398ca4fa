import type { ParsedAddress } from '../../../ton/address/address.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import type { TransactionFilter } from '../../entities/transactions/filter.ts';
import { readTransactions } from '../../entities/transactions/find.ts';
import type { TransactionRow } from '../../entities/transactions/model.ts';
import { HttpError } from '../../http/errors/http-error.ts';
import { accountId } from '../../query/account-key.ts';
import type { ReadScope } from '../../query/scope.ts';
import type { HistoryCursor } from '../parameters/history-parameters.ts';

/** A page of an account's transactions. */
export interface HistoryQuery {
  readonly account: ParsedAddress;
  /** The first transaction of the page; null: the newest. */
  readonly from: HistoryCursor | null;
  /** Transactions at this lt and before are left out; 0: none. */
  readonly toLt: bigint;
  readonly limit: number;
}

/**
 * Newest first, beginning with the transaction of the cursor.
 * @throws HttpError 500 if the account has no visible transaction with the cursor's lt and hash
 */
export async function readHistory(scope: ReadScope, query: HistoryQuery): Promise<readonly TransactionRow[]> {
  const { account, from, toLt, limit } = query;
  const filter: TransactionFilter = {
    accounts: [accountId(account)],
    ...(from ? { endLt: from.lt } : {}),
    ...(toLt > 0n ? { startLt: toLt + 1n } : {}),
  };
  const rows = await readTransactions(scope, filter, { limit, offset: 0, descending: true });
  // A cursor at or before to_lt leaves nothing to compare it with.
  if (from && from.lt > toLt) checkCursor(from, rows[0]);
  return rows;
}

function checkCursor(from: HistoryCursor, first: TransactionRow | undefined): void {
  if (!first || BigInt(first.lt) !== from.lt) {
    throw new HttpError(
      500,
      'LITE_SERVER_UNKNOWN: cannot locate transaction in block with specified logical time',
    );
  }
  if (first.hash !== toBase64(from.hash)) {
    throw new HttpError(500, 'LITE_SERVER_UNKNOWN: transaction hash mismatch');
  }
}
