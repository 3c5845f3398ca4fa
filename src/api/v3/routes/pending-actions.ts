import { rawAddress } from '../../query/account-id.ts';
import { pendingActionsAnswer } from '../answers/pending/pending-actions-answer.ts';
import { endpoint } from '../endpoint.ts';
import { supportedTypes } from '../parameters/action-types.ts';
import { account, bool, hashes, typeNames } from '../parameters/forms.ts';
import { type ActionsAnswer, ActionsSchema } from '../schemas/action.ts';
import { namedTraces } from './pending-traces.ts';

const NO_ACTIONS: ActionsAnswer = { actions: [], address_book: {}, metadata: {} };

/** `/pendingActions` (v3-endpoints.md 4.4). */
export const pendingActions = endpoint({
  path: '/pendingActions',
  tag: 'actions',
  summary: 'Actions of messages that were sent and are not wholly in blocks yet.',
  reads: ['base'],
  adds: ['contracts'],
  parameters: {
    account: account('Actions that this account takes part in; it wins over ext_msg_hash.'),
    ext_msg_hash: hashes('Hash or normalised hash of the external message.'),
    supported_action_types: typeNames('Types of actions that the client shows, or shortcuts.'),
    include_transactions: bool('Adds the transactions of each action.'),
  },
  answer: ActionsSchema,
  async handle(scope, values, { switches }) {
    const found = await namedTraces(scope, values);
    if (found.length === 0) return NO_ACTIONS;
    return pendingActionsAnswer(scope, found, {
      ...switches,
      types: supportedTypes(values.supported_action_types, switches.actionsVersion),
      account: values.account ? rawAddress(values.account) : null,
      withTransactions: values.include_transactions === true,
    });
  },
});
