import { GRAMS, HASH } from '../base-types.ts';
import { PART, STEP } from '../contract-types.ts';
import { coded, column, columnTypes, defineTable, party, rising } from '../table.ts';
import { buildCopy } from '../target.ts';
import { addressText, hashText, SPREAD } from '../views/text-forms.ts';

/** Codec of ids that repeat from row to row. */
const REPEATED = 'ZSTD(1)';

export const JETTON_MINTS = defineTable({
  name: 'jetton_mints',
  version: 9,
  comment:
    'Messages internal_transfer that a jetton wallet received from its master. Under a code whose data is not read, the message may be that of another wallet, and get methods decide. Rule: TEP-74.',
  key: ['workchain', 'account', 'lt'],
  columns: {
    mc_seqno: rising('UInt32', STEP),
    part: column('UInt16', PART),
    workchain: column('Int32', 'Workchain of the wallet.'),
    account: coded(HASH, REPEATED, 'Account id of the wallet.'),
    lt: rising('UInt64', 'Logical time of the transaction that received the message.'),
    hash: column(HASH, 'Hash of that transaction.'),
    now: rising('UInt32', 'Time of that transaction, Unix seconds.'),
    aborted: column('Bool', 'That transaction was aborted.'),
    is_known: column('Bool', 'The data of the wallet names the sender as its master.'),
    parent_workchain: column('Int32', 'Workchain of the sender, the master.'),
    parent: coded(HASH, REPEATED, 'Account id of the sender, the master.'),
    child_code: column(HASH, 'Hash of the code that the master must name.'),
    ...party('owner', 'known owner of the wallet', REPEATED),
    query_id: column('UInt64', 'query_id of the message.'),
    amount: column('UInt256', 'Jettons in smallest units.'),
    ...party('response', 'receiver of the excess', REPEATED),
    forward_amount: column(GRAMS, 'Value forwarded to the owner, nanotons.'),
    forward_payload: column('String', 'Forward payload as a bag of cells; empty for none or an invalid one.'),
  },
});

export const MINT_TYPES = columnTypes(JETTON_MINTS);

/** An expression of views, so that a filter on it uses the index. */
const text = (name: string) => addressText(name, `${name}_workchain`);

export const MINT_TARGET = buildCopy(JETTON_MINTS, {
  orderBy: ['lt', 'account', 'workchain'],
  skips: {
    by_now: ['now', 1],
    by_hash: [hashText('hash'), 1, SPREAD],
    by_account: [`toNullable(${addressText('account', 'workchain')})`, 1, SPREAD],
    by_owner: [`if(has_owner, ${text('owner')}, NULL)`, 1, SPREAD],
    by_parent: [`toNullable(${text('parent')})`, 1, SPREAD],
  },
  shard: 'cityHash64(account)',
  aging: { column: 'now' },
});
