import { isIndexedStep } from '../../entities/blocks/masterchain.ts';
import { STEP_TRANSACTIONS, transactionPlace } from '../../entities/transactions/filter.ts';
import { readTransactions } from '../../entities/transactions/find.ts';
import { HttpError } from '../../http/errors/http-error.ts';
import { needed } from '../../parameters/parameter.ts';
import { transactionsAnswer } from '../answers/transactions-answer.ts';
import { endpoint } from '../endpoint.ts';
import { looseSeqno } from '../parameters/forms.ts';
import { PAGING, SORTING, toPage } from '../parameters/paging.ts';
import { nextCursor, parseScan, SCANNING, scannedScope } from '../scan.ts';
import { ScannedTransactionsSchema } from '../schemas/transaction.ts';

const unknown = (seqno: number) => new HttpError(404, `masterchain block ${seqno} not found`);

/** `/transactionsByMasterchainBlock` (v3-endpoints.md 2.6). */
export const transactionsByMasterchainBlock = endpoint({
  path: '/transactionsByMasterchainBlock',
  tag: 'blockchain',
  summary: 'The transactions that entered the chain with a masterchain block.',
  reads: ['base'],
  adds: ['traces', 'contracts'],
  parameters: { seqno: needed(looseSeqno('Masterchain seqno.')), ...PAGING, ...SORTING, ...SCANNING },
  answer: ScannedTransactionsSchema,
  cached: true,
  async handle(fullScope, values, { settings, switches }) {
    const page = toPage(values, settings);
    const scan = parseScan(STEP_TRANSACTIONS, values, page, fullScope.visible);
    const scope = scannedScope(fullScope, scan);
    const place = scan && { scan: { after: scan.after, descending: page.descending } };
    const rows = await readTransactions(scope, { mcSeqno: values.seqno, ...place }, page);
    if (rows.length === 0 && !(await isIndexedStep(scope, values.seqno))) throw unknown(values.seqno);
    return {
      ...(await transactionsAnswer(scope, rows, switches.addressBook)),
      ...nextCursor(STEP_TRANSACTIONS, scan, page, rows.map(transactionPlace)),
    };
  },
});
