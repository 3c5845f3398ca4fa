import { ACCOUNT_STATUS, CURRENCIES, GRAMS, HASH, MC_SEQNO } from './base-types.ts';
import { column, defineTable, named, orNone, rising } from './table.ts';

export const ACCOUNT_STATES = defineTable({
  name: 'account_states',
  version: 7,
  comment:
    'One row per account and block: its state after its last transaction in the block. Rule: Account and ShardAccount of block.tlb.',
  key: ['workchain', 'account', 'lt', 'origin'],
  columns: {
    mc_seqno: rising('UInt32', MC_SEQNO),
    workchain: column('Int32', 'Workchain of the account.'),
    account: column(HASH, 'Id of the account in its workchain.'),
    lt: rising(
      'UInt64',
      'Logical time of the last transaction before this state (ShardAccount.last_trans_lt).',
    ),
    now: rising('UInt32', 'Time of that transaction, Unix seconds; 0 if the block does not contain it.'),
    last_trans_hash: orNone(column(HASH, 'Hash of that transaction.')),
    hash: column(HASH, 'Level-0 hash of the Account cell.'),
    status: named('AccountStatus', column(ACCOUNT_STATUS, 'Status of the account.')),
    balance: column(GRAMS, 'Balance, nanotons.'),
    extra: column(CURRENCIES, 'Balance in extra currencies, amount by id.'),
    code_hash: orNone(column(HASH, 'Hash of the code; zeros if it has none.')),
    data_hash: orNone(column(HASH, 'Hash of the data; zeros if it has none.')),
    frozen_hash: orNone(column(HASH, 'Hash of the frozen state; zeros if it is not frozen.')),
    last_paid: rising('UInt32', 'Time of the last storage payment, Unix seconds.'),
    due_payment: column(`Nullable(${GRAMS})`, 'Storage fee that the account owes, nanotons; NULL if none.'),
    storage_cells: column('UInt64', 'Cells that the account is charged for.'),
    storage_bits: column('UInt64', 'Bits that the account is charged for.'),
    has_prev: column('Bool', 'The old side of the state update shows the state that this one replaces.'),
    prev_lt: rising(
      'UInt64',
      'Logical time of the last transaction before the replaced state. Above 0 if that state existed, even without has_prev.',
    ),
    prev_balance: column(
      GRAMS,
      "Balance of the replaced state, nanotons. Without has_prev it follows from the block's transactions: new balance + fees + sent - received.",
    ),
    origin: named(
      'StateOrigin',
      column(
        "Enum8('block' = 0, 'before' = 1, 'state' = 2)",
        "'block': after a transaction. 'before': the old side of an update, at the start of the index. 'state': from a given state.",
      ),
    ),
  },
});
