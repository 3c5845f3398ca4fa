import { plainTransaction } from '../../../ton/columns/plain-transaction.ts';
import type { ClassifierTrace } from '../../classifier-port.ts';
import type { TransactionRow } from '../../entities/transactions/model.ts';

/** Transactions of one trace as the classifier takes them. */
export function classifierTrace(traceId: string, rows: readonly TransactionRow[]): ClassifierTrace {
  const transactions = rows.map((row) => {
    const { hash, workchain, lt, messages } = row;
    const account = Buffer.from(row.account, 'hex');
    return plainTransaction(row, { hash, workchain, account, lt: BigInt(lt), messages });
  });
  return { traceId, transactions };
}
