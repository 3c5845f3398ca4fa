/**
 * Kind of record (schemas/<kind>), the decoded table that it is made of, its topic, the name of the record in its schema. A field is the
 * column of the same name. `omits`: columns that repeat what other records have.
 */
export const PUBLISHED = [
  {
    kind: 'block',
    table: 'blocks',
    topic: 'blocks',
    record: 'Block',
    omits: [],
  },
  {
    kind: 'transaction',
    table: 'transactions',
    topic: 'transactions',
    record: 'Transaction',
    omits: ['messages', 'states'],
  },
  {
    kind: 'message',
    table: 'messages',
    topic: 'messages',
    record: 'Message',
    omits: ['listed', 'tx_now'],
  },
  {
    kind: 'account-state',
    table: 'account_states',
    topic: 'account-states',
    record: 'AccountState',
    omits: ['now'],
  },
] as const;

export type PublishedOutput = (typeof PUBLISHED)[number];
export type PublishedKind = PublishedOutput['kind'];
