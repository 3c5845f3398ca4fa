import { HttpError } from '../../http/http-error.ts';
import { isIndexedStep } from '../../read/read-blocks.ts';
import { readTransactions } from '../../read/read-transactions.ts';
import { NO_TRANSACTIONS, transactionsAnswer } from '../answers/transactions-answer.ts';
import { endpoint } from '../endpoint.ts';
import { shard } from '../params/block-parameters.ts';
import { accounts, hashes } from '../params/keys.ts';
import { i32, lt, utime } from '../params/numbers.ts';
import { PAGING, pageOf, SORTING } from '../params/paging.ts';
import { given } from '../params/parameter.ts';
import { TransactionsSchema } from '../schemas/transaction.ts';

const unknown = (seqno: number) => new HttpError(404, `masterchain block ${seqno} not found`);

/** `/transactions` (v3-endpoints.md 2.5). */
export const transactions = endpoint({
  path: '/transactions',
  tag: 'blockchain',
  summary: 'Transactions by filter.',
  parameters: {
    workchain: i32('Workchain of the block.'),
    shard: shard('Shard of the block, hex or signed decimal; send it together with workchain.'),
    seqno: i32('Seqno of the block; send it together with workchain and shard.'),
    mc_seqno: i32('Seqno of the masterchain block that committed the block.'),
    account: accounts('Only these accounts, in any form; repeated or comma-separated.'),
    exclude_account: accounts('Not these accounts.'),
    hash: hashes('Transaction hash, hex or base64.'),
    lt: lt('Transaction lt.'),
    start_utime: utime('At or after this time, Unix seconds.'),
    end_utime: utime('At or before this time, Unix seconds.'),
    start_lt: lt('lt at or above.'),
    end_lt: lt('lt at or below.'),
    ...PAGING,
    ...SORTING,
  },
  answer: TransactionsSchema,
  cached: true,
  async handle(scope, values, { settings, switches }) {
    const page = pageOf(values, settings);
    const filter = given({
      workchain: values.workchain,
      shard: values.shard,
      seqno: values.seqno,
      mcSeqno: values.mc_seqno,
      accounts: values.account,
      excludeAccounts: values.exclude_account,
      hashes: values.hash,
      lt: values.lt,
      startUtime: values.start_utime,
      endUtime: values.end_utime,
      startLt: values.start_lt,
      endLt: values.end_lt,
    });
    const rows = await readTransactions(scope, filter, page);
    const named = rows.length === 0 ? values.mc_seqno : undefined;
    if (named !== undefined && !(await isIndexedStep(scope, named))) throw unknown(named);
    return transactionsAnswer(scope, rows, switches.addressBook);
  },
  empty(values, { settings }) {
    pageOf(values, settings);
    if (values.mc_seqno !== undefined) throw unknown(values.mc_seqno);
    return NO_TRANSACTIONS;
  },
});
