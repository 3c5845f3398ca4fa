import { HttpError } from '../../http/http-error.ts';
import { isBegunBy, isOf, readPending } from '../../pending/read-pending.ts';
import type { AccountId } from '../../read/account-id.ts';
import { NO_TRACES, pendingTracesAnswer } from '../answers/pending-traces-answer.ts';
import { endpoint } from '../endpoint.ts';
import { account, hashes, texts } from '../params/keys.ts';
import { TracesSchema } from '../schemas/trace.ts';

interface Named {
  readonly account: AccountId | undefined;
  readonly ext_msg_hash: readonly string[];
}

function requireKey({ account, ext_msg_hash }: Named): void {
  if (account === undefined && ext_msg_hash.length === 0)
    throw new HttpError(422, 'account or ext_msg_hash should be specified');
}

/** `/pendingTraces` (v3-endpoints.md 4.2). */
export const pendingTraces = endpoint({
  path: '/pendingTraces',
  tag: 'actions',
  summary: 'Traces of messages that were sent and are not wholly in blocks yet.',
  parameters: {
    account: account('Traces with a transaction of this account; it wins over ext_msg_hash.'),
    ext_msg_hash: hashes('Hash or normalised hash of the external message.'),
    supported_action_types: texts('Accepted; no actions are known of pending traces.'),
  },
  answer: TracesSchema,
  async handle(scope, values, { switches }) {
    requireKey(values);
    const { account: one, ext_msg_hash } = values;
    const found = (await readPending(scope)).filter((trace) =>
      one
        ? trace.transactions.some((transaction) => isOf(transaction, [one]))
        : isBegunBy(trace, ext_msg_hash),
    );
    return found.length === 0 ? NO_TRACES : pendingTracesAnswer(scope, found, switches.addressBook);
  },
  empty(values) {
    requireKey(values);
    return NO_TRACES;
  },
});
