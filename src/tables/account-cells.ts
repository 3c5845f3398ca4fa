import { HASH, MC_SEQNO } from './base-types.ts';
import { column, defineTable } from './table.ts';

export const ACCOUNT_CELLS = defineTable({
  name: 'account_cells',
  version: 6,
  comment: 'The Account cells of a block, with pruned branches for omitted cells.',
  key: ['workchain', 'account', 'lt', 'hash'],
  columns: {
    mc_seqno: column('UInt32', MC_SEQNO),
    workchain: column('Int32', 'Workchain of the account.'),
    account: column(HASH, 'Id of the account in its workchain.'),
    lt: column('UInt64', 'Logical time of the last transaction before this state.'),
    hash: column(HASH, 'Level-0 hash of the Account cell.'),
    whole: column('Bool', 'No pruned branch is below the cell.'),
    boc: column('String', 'The cell as a bag of cells.'),
  },
});
