/* Sums of jetton transfers and holders by hour. */
import { HASH } from '../base-types.ts';
import { TRANSFER_KIND } from '../contract-types.ts';
import { addressText, SPREAD } from '../views/text-forms.ts';
import { buildCount, buildTokens, type Sums, sameColumn } from './sums.ts';

const shard = 'cityHash64(parent)';

export const JETTON_HOURS: Sums = {
  name: 'jetton_hours',
  comment:
    'Transfers and burns of jettons by hour and master, or by wallet if only get methods can identify the master.',
  source: 'token_transfers',
  stored: 'token_transfers',
  time: 'now',
  where: "kind IN ('jetton_transfer', 'jetton_burn')",
  by: [
    sameColumn('has_parent', 'Bool', 'The wallets name a master.'),
    sameColumn('parent', HASH, 'Account id of the master; zeros for none.'),
    sameColumn('parent_workchain', 'Int32', 'Workchain of the master.'),
    sameColumn('child_code', HASH, 'Hash of the code that the master must name.'),
    sameColumn('kind', TRANSFER_KIND, 'What the messages do.'),
    sameColumn('aborted', 'Bool', 'The transactions were aborted.'),
    {
      name: 'wallet',
      type: HASH,
      comment: 'Account id of the wallet; zeros with a master.',
      from: "if(has_parent, toFixedString('', 32), account)",
    },
    {
      name: 'wallet_workchain',
      type: 'Int32',
      comment: 'Workchain of the wallet; 0 with a master.',
      from: 'if(has_parent, 0, workchain)',
    },
  ],
  sums: [
    buildCount('events', '', 'Messages.'),
    buildTokens('amount', 'amount', 'Amount in smallest units; amounts of more than 38 digits are left out.'),
  ],
  skips: { by_parent: [addressText('parent', 'parent_workchain'), 1, SPREAD] },
  shard,
};

export const HOLDER_HOURS: Sums = {
  name: 'holder_hours',
  comment: 'Changes of the number of jetton wallets that are not empty, by hour and master.',
  source: 'token_states',
  stored: 'token_states',
  time: 'now',
  join: `ARRAY JOIN [(parent, parent_workchain, child_code, toInt64(NOT is_gone AND has_parent AND amount > 0)),
    (had_parent, had_parent_workchain, had_child_code, -toInt64(had AND had_amount > 0))] AS change`,
  where: "kind = 'jetton_wallet'",
  by: [
    { name: 'master', type: HASH, comment: 'Account id of the master.', from: 'change.1' },
    { name: 'master_workchain', type: 'Int32', comment: 'Workchain of the master.', from: 'change.2' },
    { name: 'code', type: HASH, comment: 'Hash of the code that the master must name.', from: 'change.3' },
  ],
  sums: [
    {
      name: 'holders',
      type: 'Int64',
      comment: 'Wallets that got a balance, less those that lost it.',
      from: 'change.4',
    },
  ],
  skips: { by_master: [addressText('master', 'master_workchain'), 1, SPREAD] },
  shard: 'cityHash64(master)',
};

/** Sums of `contracts`. */
export const CONTRACT_SUMS: readonly Sums[] = [JETTON_HOURS, HOLDER_HOURS];
