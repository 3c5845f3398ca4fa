/**
 * Stage `publish`: consumes `raw-blocks`, decodes each block, and writes what others consume: typed Avro records
 * (schemas/<kind>), in topics of their own. The records of a batch and the offset behind it are one transaction.
 *
 *   raw-blocks ─▶ publish ─▶ blocks, transactions, messages, account-states
 */
export const PUBLISH = {
  topic: 'raw-blocks',
  group: 'publish',
  /** Decoded table → schema → topic. A field of the schema is the column of the same name. */
  outputs: [
    { kind: 'block', table: 'blocks', topic: 'blocks' },
    { kind: 'transaction', table: 'transactions', topic: 'transactions' },
    { kind: 'message', table: 'messages', topic: 'messages' },
    { kind: 'account-state', table: 'account_states', topic: 'account-states' },
  ],
} as const;

export type PublishOutput = (typeof PUBLISH.outputs)[number];
export type PublishKind = PublishOutput['kind'];
