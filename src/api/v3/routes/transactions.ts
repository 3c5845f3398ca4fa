import { isIndexedStep } from '../../entities/blocks/masterchain.ts';
import type { MessageFilter } from '../../entities/messages/filter.ts';
import { readTransactionsByMessage } from '../../entities/transactions/by-message.ts';
import {
  FILTERED_TRANSACTIONS,
  isUnfiltered,
  TRANSACTIONS,
  type TransactionFilter,
  type TransactionPlace,
  transactionPlace,
} from '../../entities/transactions/filter.ts';
import { readTransactions } from '../../entities/transactions/find.ts';
import {
  TRANSACTION_HEAD,
  TRANSACTION_SELECT,
  type TransactionRow,
} from '../../entities/transactions/model.ts';
import { scanBounds } from '../../entities/transactions/scan-bounds.ts';
import { MESSAGE_ENDS } from '../../entities/transactions/scan-by-message.ts';
import { HttpError } from '../../http/errors/http-error.ts';
import { given, type ParameterValues } from '../../parameters/parameter.ts';
import type { Page } from '../../query/page.ts';
import { type ReadScope, withSelect, withVisible } from '../../query/scope.ts';
import { HEAD_FIELDS } from '../answers/transaction-answer.ts';
import { selectedTransactions, transactionsAnswer } from '../answers/transactions-answer.ts';
import { endpoint } from '../endpoint.ts';
import { SELECTING } from '../fields.ts';
import { account, accounts, hash, hashes, i32, lt, opcode, shard, utime } from '../parameters/forms.ts';
import { PAGING, SORTING, toPage } from '../parameters/paging.ts';
import { parseSide, side } from '../parameters/side.ts';
import { nextCursor, parseScan, SCANNING, type Scan, type ScanValues } from '../scan.ts';
import { type ByMessagePage, pageByMessage } from '../scan-by-message.ts';
import { ScannedTransactionsSchema } from '../schemas/transaction.ts';

const unknown = (seqno: number) => new HttpError(404, `masterchain block ${seqno} not found`);

/** Filters by message, with the meaning of `/transactionsByMessage` (v3-rules.md 3). */
const MESSAGE_FILTERS = {
  msg_hash: hashes('At an end of a message with this hash or normalised hash.'),
  body_hash: hash('Sent or received a message with this body hash.'),
  opcode: opcode('Received a message with this opcode (the first 32 bits of its body).'),
  source: account('At an end of a message from this account.'),
  destination: account('At an end of a message to this account.'),
  direction: side('With msg_hash or opcode: in: it received the message; out: it sent it.'),
} as const;

/** undefined without a message filter. @throws HttpError 422 */
function messageFilter(values: ParameterValues<typeof MESSAGE_FILTERS>): MessageFilter | undefined {
  const direction = parseSide(values.direction);
  const hasOpcode = values.opcode !== undefined;
  if (direction && values.msg_hash.length === 0 && !hasOpcode)
    throw new HttpError(422, 'direction can be specified only with msg_hash or opcode');
  const filter = given({
    hashes: values.msg_hash.length > 0 ? values.msg_hash : undefined,
    bodyHash: values.body_hash,
    opcode: values.opcode,
    direction: direction ?? (hasOpcode ? ('in' as const) : undefined),
    source: values.source,
    destination: values.destination,
  });
  return Object.keys(filter).length > 0 ? filter : undefined;
}

/** A page by offset or by cursor. `fullScope`: the scope with complete rows, whose messages give the position of a row. */
async function readPage(
  { scope, fullScope }: { readonly scope: ReadScope; readonly fullScope: ReadScope },
  filter: TransactionFilter,
  { values, page }: { readonly values: ScanValues; readonly page: Page },
): Promise<ByMessagePage> {
  const { message, ...others } = filter;
  // If only messages are filtered, their indexes are read in order, and only as far as the page needs.
  if (message && isUnfiltered(others)) {
    const form = MESSAGE_ENDS['/transactions'];
    const scanned = await pageByMessage(fullScope, message, { form, values, page });
    return scanned ?? { rows: await readTransactionsByMessage(scope, message, page), next: {} };
  }
  const form = message ? FILTERED_TRANSACTIONS : TRANSACTIONS;
  const scan = parseScan(form, values, page, scope.visible);
  const rows = scan ? await scanRows(scope, filter, page, scan) : await readTransactions(scope, filter, page);
  return { rows, next: nextCursor(form, scan, page, rows.map(transactionPlace)) };
}

/** One page of a scan. */
async function scanRows(
  scope: ReadScope,
  filter: TransactionFilter,
  page: Page,
  { window, after }: Scan<TransactionPlace>,
): Promise<readonly TransactionRow[]> {
  if (!window) return [];
  const scanned = withVisible(scope, window);
  return readTransactions(
    scanned,
    await scanBounds(scanned, filter, page, { after, visible: scope.visible }),
    page,
  );
}

/** `/transactions` (v3-endpoints.md 2.5). */
export const transactions = endpoint({
  path: '/transactions',
  tag: 'blockchain',
  summary: 'Transactions by filter.',
  reads: ['base'],
  adds: ['traces', 'contracts'],
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
    ...MESSAGE_FILTERS,
    ...PAGING,
    ...SORTING,
    ...SCANNING,
    ...SELECTING,
  },
  answer: ScannedTransactionsSchema,
  selects: 'transactions',
  cached: true,
  async handle(fullScope, values, { settings, switches, fields }) {
    const isHead = fields.isWithin(HEAD_FIELDS);
    const scope = isHead ? withSelect(fullScope, TRANSACTION_SELECT, TRANSACTION_HEAD) : fullScope;
    const page = toPage(values, settings);
    const message = messageFilter(values);
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
    const requested = { ...filter, ...(message && { message }) };
    const { rows, next } = await readPage({ scope, fullScope }, requested, { values, page });
    const named = rows.length === 0 ? values.mc_seqno : undefined;
    if (named !== undefined && !(await isIndexedStep(scope, named))) throw unknown(named);
    return {
      ...(fields.isAll
        ? await transactionsAnswer(scope, rows, switches.addressBook)
        : await selectedTransactions(scope, rows, fields)),
      ...next,
    };
  },
});
