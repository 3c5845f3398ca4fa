import { fromBase64 } from '../../../ton/hash/base64.ts';
import { readAction } from '../../entities/actions/find-one.ts';
import type { ActionRow } from '../../entities/actions/model.ts';
import { addedTokens } from '../../entities/tokens/filter.ts';
import { readTraces } from '../../entities/traces/find.ts';
import { readTraceTransactions } from '../../entities/traces/transactions.ts';
import type { TransactionRow } from '../../entities/transactions/model.ts';
import { readJettonMoves } from '../../entities/transfers/jetton-moves.ts';
import { HttpError } from '../../http/errors/http-error.ts';
import type { ReadScope } from '../../query/scope.ts';
import { type ProjectionName, resolveReads } from '../../version-vector.ts';
import { balanceChangesAnswer, NO_CHANGES } from '../answers/balance-changes-answer.ts';
import { MAX_TRANSACTIONS } from '../answers/traces-answer.ts';
import { endpoint } from '../endpoint.ts';
import { hash } from '../parameters/forms.ts';
import { type BalanceChangesAnswer, BalanceChangesSchema } from '../schemas/balance-changes.ts';

type Scope = ReadScope<'base' | 'traces'>;

/** `/balanceChanges` (v3-endpoints.md 4.5). */
export const balanceChanges = endpoint({
  path: '/balanceChanges',
  tag: 'actions',
  summary: 'What a trace or an action changed of balances: TON, fees and jettons by account.',
  reads: ['base', 'traces'],
  adds: ['contracts', 'actions'],
  parameters: {
    trace_id: hash('Changes by all transactions of this trace.'),
    action_id: hash('Changes by this action; it wins over trace_id.'),
  },
  answer: BalanceChangesSchema,
  cached: true,
  async handle(scope: Scope, { trace_id, action_id }): Promise<BalanceChangesAnswer> {
    if (action_id !== undefined) return ofAction(scope, action_id);
    if (trace_id === undefined) throw new HttpError(400, 'trace_id or action_id is required');
    return readChanges(scope, await readTransactions(scope, trace_id));
  },
});

async function ofAction(scope: Scope, id: string): Promise<BalanceChangesAnswer> {
  const action = await readAction(scope, added(scope, 'actions'), id);
  if (!action) throw new HttpError(404, 'action_id not found');
  if (action.type === 'contract_deploy') return NO_CHANGES;
  const traceId = fromBase64(action.traceId)!.toHex().toUpperCase();
  return readChanges(scope, ownTransactions(action, await readTransactions(scope, traceId)));
}

/** The earliest of an action only sent its first message, unless an external message began it. */
function ownTransactions(
  { txHashes }: ActionRow,
  rows: readonly TransactionRow[],
): readonly TransactionRow[] {
  const hashes = new Set(txHashes);
  const own = rows.filter((row) => hashes.has(row.hash));
  const incoming = own[0]?.messages.find(({ direction }) => direction === 'in');
  return incoming?.kind === 'ext_in' ? own : own.slice(1);
}

async function readChanges(scope: Scope, rows: readonly TransactionRow[]): Promise<BalanceChangesAnswer> {
  if (rows.length === 0) return NO_CHANGES;
  const source = addedTokens(scope, added(scope, 'contracts'));
  return balanceChangesAnswer(rows, await readJettonMoves(source, rows));
}

/** The transactions of a trace, by lt; none if it is unknown. */
async function readTransactions(scope: Scope, traceId: string): Promise<readonly TransactionRow[]> {
  const page = { limit: 1, offset: 0, descending: true };
  const [trace] = await readTraces(scope, { traceIds: [traceId] }, page);
  if (!trace) return [];
  if (trace.transactions > MAX_TRANSACTIONS) throw new HttpError(422, 'trace is too large');
  return (await readTraceTransactions(scope, [trace])).get(trace) ?? [];
}

/** A projection that the answer cannot do without. @throws ProjectionUnavailableError */
function added(scope: Scope, name: ProjectionName) {
  const found = scope.added[name];
  if (found) return found;
  resolveReads(scope.context.vector(), [name]);
  throw new HttpError(503, `the projection ${name} cannot be read`);
}
