/** Kind of record (schemas/<kind>), the decoded table that it is made of, its topic. A field is the column of the same name. */
export const PUBLISHED = [
  { kind: 'block', table: 'blocks', topic: 'blocks' },
  { kind: 'transaction', table: 'transactions', topic: 'transactions' },
  { kind: 'message', table: 'messages', topic: 'messages' },
  { kind: 'account-state', table: 'account_states', topic: 'account-states' },
] as const;

export type PublishedOutput = (typeof PUBLISHED)[number];
export type PublishedKind = PublishedOutput['kind'];
