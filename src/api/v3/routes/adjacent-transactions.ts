import { type Neighbours, readAdjacent } from '../../entities/transactions/by-message.ts';
import { readTransactions } from '../../entities/transactions/find.ts';
import { HttpError } from '../../http/errors/http-error.ts';
import { needed } from '../../parameters/parameter.ts';
import { transactionsAnswer } from '../answers/transactions-answer.ts';
import { endpoint } from '../endpoint.ts';
import { hash } from '../parameters/forms.ts';
import { side } from '../parameters/side.ts';
import { TransactionsSchema } from '../schemas/transaction.ts';

const nothing = () => new HttpError(404, 'adjacent transactions not found');

/** `/adjacentTransactions` (v3-endpoints.md 2.8). */
export const adjacentTransactions = endpoint({
  path: '/adjacentTransactions',
  tag: 'blockchain',
  summary: 'The parent and the children of a transaction.',
  reads: ['base'],
  adds: ['traces', 'contracts'],
  parameters: {
    hash: needed(hash('Hash of the transaction.')),
    direction: side('in: only the parent; out: only the children; otherwise both.'),
  },
  answer: TransactionsSchema,
  cached: true,
  async handle(scope, values, { switches }) {
    // The real server reports that there are none (v3-more.md 6.2).
    if (values.hash === undefined) throw new HttpError(422, 'hash parameter is required');
    const one = { limit: 1, offset: 0, descending: false };
    const [row] = await readTransactions(scope, { hashes: [values.hash] }, one);
    const rows = row ? await readAdjacent(scope, row, wanted(values.direction)) : [];
    if (rows.length === 0) throw nothing();
    return transactionsAnswer(scope, rows, switches.addressBook);
  },
});

/** Any other word is ignored here. */
function wanted(direction: string | undefined): Neighbours {
  return direction === 'in' || direction === 'out' ? direction : 'both';
}
