import { type Static, Type } from 'typebox';
import { ActionSchema } from './action.ts';
import { DescribedPage } from './address-book.ts';
import { Hash, Lt, nullable, OptionalHash } from './common.ts';
import { TransactionSchema } from './transaction.ts';

/** A transaction in the tree of its trace; the transactions themselves are next to the tree. */
export interface TraceNodeAnswer {
  readonly tx_hash: string;
  readonly in_msg_hash?: string;
  readonly children: readonly TraceNodeAnswer[] | null;
}

export const TraceNodeSchema = Type.Unsafe<TraceNodeAnswer>(
  Type.Object(
    {
      tx_hash: Hash,
      in_msg_hash: OptionalHash,
      children: nullable(Type.Array(Type.Object({}, { description: 'a node like this one' }))),
    },
    { description: 'the first transaction; children: null if no account received its messages' },
  ),
);

const TraceInfoSchema = Type.Object({
  trace_state: Type.String({ enum: ['complete', 'pending', 'broken'] }),
  messages: Type.Integer(),
  transactions: Type.Integer(),
  pending_messages: Type.Integer(),
  classification_state: Type.String({ enum: ['unclassified', 'failed', 'ok', 'broken'] }),
});

export const TraceSchema = Type.Object({
  trace_id: nullable(Hash),
  external_hash: nullable(Hash),
  mc_seqno_start: Type.String(),
  mc_seqno_end: Type.String(),
  start_lt: Lt,
  start_utime: Type.Integer(),
  end_lt: nullable(Lt),
  end_utime: nullable(Type.Integer()),
  trace_info: TraceInfoSchema,
  is_incomplete: Type.Boolean(),
  warning: Type.Optional(Type.String()),
  actions: Type.Optional(Type.Array(ActionSchema)),
  trace: Type.Optional(TraceNodeSchema),
  transactions_order: Type.Optional(Type.Array(Hash)),
  transactions: Type.Optional(Type.Record(Type.String(), TransactionSchema)),
});
export type TraceAnswer = Static<typeof TraceSchema>;

export const TracesSchema = Type.Object({
  traces: Type.Array(TraceSchema),
  ...DescribedPage,
});
export type TracesAnswer = Static<typeof TracesSchema>;

/** `/events`: traces under another key. */
export const EventsSchema = Type.Object({
  events: Type.Array(TraceSchema),
  ...DescribedPage,
});
