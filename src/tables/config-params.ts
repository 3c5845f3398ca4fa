import { HASH } from './base-types.ts';
import { column, defineTable } from './table.ts';

export const CONFIG_PARAMS = defineTable({
  name: 'config_params',
  version: 6,
  comment: 'Configuration parameters of key blocks, one row per parameter. Rule: ConfigParams of block.tlb.',
  key: ['mc_seqno', 'param'],
  columns: {
    mc_seqno: column('UInt32', 'Seqno of the key block.'),
    param: column('Int32', 'Number of the parameter.'),
    hash: column(HASH, "Hash of the parameter's cell."),
    boc: column('String', "The parameter's cell as a bag of cells."),
  },
});
