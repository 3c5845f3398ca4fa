import { readTransactionsByMessage } from '../../entities/transactions/by-message.ts';
import { MESSAGE_ENDS } from '../../entities/transactions/scan-by-message.ts';
import { HttpError } from '../../http/errors/http-error.ts';
import { given } from '../../parameters/parameter.ts';
import { transactionsAnswer } from '../answers/transactions-answer.ts';
import { endpoint } from '../endpoint.ts';
import { account, hash, hashes, opcode } from '../parameters/forms.ts';
import { PAGING, SORTING, toPage } from '../parameters/paging.ts';
import { parseSide, side } from '../parameters/side.ts';
import { SCANNING } from '../scan.ts';
import { pageByMessage } from '../scan-by-message.ts';
import { ScannedTransactionsSchema } from '../schemas/transaction.ts';

interface Named {
  readonly msg_hash: readonly string[];
  readonly body_hash: string | undefined;
  readonly opcode: number | undefined;
}

function requireKey(values: Named): void {
  if (values.msg_hash.length > 0 || values.body_hash !== undefined || values.opcode !== undefined) return;
  throw new HttpError(422, 'at least one of msg_hash, body_hash, opcode should be specified');
}

/** `/transactionsByMessage` (v3-endpoints.md 2.7). */
export const transactionsByMessage = endpoint({
  path: '/transactionsByMessage',
  tag: 'blockchain',
  summary: 'The transactions that sent or received a message.',
  reads: ['base'],
  adds: ['traces', 'contracts'],
  parameters: {
    msg_hash: hashes('Hash or normalised hash of the message.'),
    body_hash: hash('Hash of the body.'),
    opcode: opcode('First 32 bits of the body; only the receiving transactions.'),
    direction: side('in: the transaction that received the message; out: the one that sent it.'),
    source: account('Source of the message.'),
    destination: account('Destination of the message.'),
    ...PAGING,
    ...SORTING,
    ...SCANNING,
  },
  answer: ScannedTransactionsSchema,
  cached: true,
  check: requireKey,
  async handle(scope, values, { settings, switches }) {
    const page = toPage(values, settings);
    const filter = given({
      hashes: values.msg_hash,
      bodyHash: values.body_hash,
      opcode: values.opcode,
      direction: parseSide(values.direction) ?? (values.opcode === undefined ? undefined : ('in' as const)),
      source: values.source,
      destination: values.destination,
    });
    const form = MESSAGE_ENDS['/transactionsByMessage'];
    const { rows, next } = (await pageByMessage(scope, filter, { form, values, page })) ?? {
      rows: await readTransactionsByMessage(scope, filter, page),
      next: {},
    };
    return { ...(await transactionsAnswer(scope, rows, switches.addressBook)), ...next };
  },
});
