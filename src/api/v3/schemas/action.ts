import { type Static, Type } from 'typebox';
import { DescribedPage } from './address-book.ts';
import { Hash, Lt, nullable } from './common.ts';
import { TransactionSchema } from './transaction.ts';

const Fields = Type.Record(Type.String(), Type.Unknown());

/** Action of v3-models.md section 7; v3-actions.md has the `details` by type. */
export const ActionSchema = Type.Object({
  trace_id: nullable(Hash),
  action_id: Hash,
  start_lt: Lt,
  end_lt: Lt,
  start_utime: Type.Integer(),
  end_utime: Type.Integer(),
  trace_end_lt: Lt,
  trace_end_utime: Type.Integer(),
  trace_mc_seqno_end: Type.Integer(),
  transactions: Type.Array(Hash),
  success: nullable(Type.Boolean()),
  type: Type.String(),
  details: Fields,
  raw_action: Type.Optional(Fields),
  trace_external_hash: Type.Optional(Hash),
  accounts: Type.Optional(Type.Array(Type.String())),
  transactions_full: Type.Optional(Type.Array(TransactionSchema)),
  finality: Type.String(),
});
export type ActionAnswer = Static<typeof ActionSchema>;

export const ActionsSchema = Type.Object({
  actions: Type.Array(ActionSchema),
  ...DescribedPage,
});
export type ActionsAnswer = Static<typeof ActionsSchema>;
