import { HttpError } from '../../http/errors/http-error.ts';
import type { PendingTrace } from '../../pending/pending-trace.ts';
import { isBegunBy, isOfAccounts, readPending } from '../../pending/read-pending.ts';
import type { AccountId } from '../../query/account-id.ts';
import type { ReadScope } from '../../query/scope.ts';
import { NO_TRACES, pendingTracesAnswer } from '../answers/pending/pending-traces-answer.ts';
import { endpoint } from '../endpoint.ts';
import { supportedTypes } from '../parameters/action-types.ts';
import { account, hashes, typeNames } from '../parameters/forms.ts';
import { TracesSchema } from '../schemas/trace.ts';

interface Named {
  readonly account: AccountId | undefined;
  readonly ext_msg_hash: readonly string[];
}

/** The pending traces of an account, or, where none is named, of external messages. @throws HttpError 422 */
export async function namedTraces(
  scope: ReadScope,
  { account: one, ext_msg_hash }: Named,
): Promise<readonly PendingTrace[]> {
  if (one === undefined && ext_msg_hash.length === 0)
    throw new HttpError(422, 'account or ext_msg_hash should be specified');
  return (await readPending(scope)).filter((trace) =>
    one
      ? trace.transactions.some((transaction) => isOfAccounts(transaction, [one]))
      : isBegunBy(trace, ext_msg_hash),
  );
}

/** `/pendingTraces` (v3-endpoints.md 4.2). */
export const pendingTraces = endpoint({
  path: '/pendingTraces',
  tag: 'actions',
  summary: 'Traces of messages that were sent and are not wholly in blocks yet.',
  reads: ['base'],
  adds: ['contracts'],
  parameters: {
    account: account('Traces with a transaction of this account; it wins over ext_msg_hash.'),
    ext_msg_hash: hashes('Hash or normalised hash of the external message.'),
    supported_action_types: typeNames('Types of actions that the client shows, or shortcuts.'),
  },
  answer: TracesSchema,
  async handle(scope, values, { switches }) {
    const found = await namedTraces(scope, values);
    const types = supportedTypes(values.supported_action_types, switches.actionsVersion);
    return found.length === 0 ? NO_TRACES : pendingTracesAnswer(scope, found, { ...switches, types });
  },
});
