/**
 * Kind of record (schemas/<kind>), the decoded table that it is made of, its topic, the name of the record in its schema. A field is the
 * column of the same name. `omits`: columns that repeat what other records have. `nulls`: fields that are null if the column has zeros or
 * is empty.
 */
export const PUBLISHED = [
  {
    kind: 'block',
    table: 'blocks',
    topic: 'blocks',
    record: 'Block',
    omits: [],
    nulls: ['master_ref_root_hash', 'master_ref_file_hash', 'prev2_root_hash', 'prev2_file_hash'],
  },
  {
    kind: 'transaction',
    table: 'transactions',
    topic: 'transactions',
    record: 'Transaction',
    omits: ['messages', 'states'],
    nulls: [
      'prev_trans_hash',
      'compute_vm_init_state_hash',
      'compute_vm_final_state_hash',
      'action_list_hash',
      'split_info',
    ],
  },
  {
    kind: 'message',
    table: 'messages',
    topic: 'messages',
    record: 'Message',
    omits: ['listed'],
    nulls: ['init_hash', 'init'],
  },
  {
    kind: 'account-state',
    table: 'account_states',
    topic: 'account-states',
    record: 'AccountState',
    omits: [],
    nulls: ['last_trans_hash', 'code_hash', 'data_hash', 'frozen_hash'],
  },
] as const;

export type PublishedOutput = (typeof PUBLISHED)[number];
export type PublishedKind = PublishedOutput['kind'];
