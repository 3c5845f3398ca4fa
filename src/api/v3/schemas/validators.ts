import { type Static, Type } from 'typebox';
import { Page } from './address-book.ts';
import { Address, Amount, Hash, Lt, nullable } from './common.ts';
import { SpanFields } from './staking.ts';

/* Validators (v3-more.md 4). Times are Unix seconds. */

const Key = Type.String({ description: '64 upper-case hex digits' });
const Decimal = Type.String({ description: 'decimal' });
const Time = Type.Integer({ description: 'Unix time, seconds' });
const Factor = Type.Integer({ description: '65536 = 1.0' });

export const ValidatorEventSchema = Type.Object({
  type: Type.String({
    description: 'stake_accepted, stake_rejected, stake_recovered, recover_requested or recover_failed',
  }),
  tx_hash: Hash,
  tx_lt: Lt,
  utime: Time,
  stake_holder_address: Address,
  validator_pubkey: Type.Optional(Key),
  adnl_addr: Type.Optional(Key),
  election_id: Type.Optional(Time),
  query_id: Type.Optional(Decimal),
  amount: Amount,
  reason: Type.Optional(Type.Integer()),
});
export type ValidatorEventAnswer = Static<typeof ValidatorEventSchema>;

export const ValidatorEventsSchema = Type.Object({
  events: Type.Array(ValidatorEventSchema),
  ...Page,
  ...SpanFields,
});

export const ElectionParticipantSchema = Type.Object({
  validator_pubkey: Key,
  adnl_addr: Key,
  stake: Amount,
  max_factor: Factor,
  stake_holder_address: Address,
  validator_index: Type.Optional(Type.Integer()),
});
export type ElectionParticipantAnswer = Static<typeof ElectionParticipantSchema>;

export const ValidatorElectionSchema = Type.Object({
  election_id: Time,
  elect_close: Time,
  min_stake: Amount,
  total_stake: Amount,
  total_participants: Type.Integer(),
  failed: Type.Boolean(),
  finished: Type.Boolean(),
  participants: Type.Optional(Type.Array(ElectionParticipantSchema)),
});
export type ValidatorElectionAnswer = Static<typeof ValidatorElectionSchema>;

export const ValidatorElectionsSchema = Type.Object({
  elections: Type.Array(ValidatorElectionSchema),
  ...Page,
});

export const ComplaintVoterSchema = Type.Object({
  validator_index: Type.Integer(),
  validator_pubkey: Type.Optional(Key),
  adnl_addr: Type.Optional(Key),
  weight: Type.Optional(Decimal),
});

export const ValidatorComplaintSchema = Type.Object({
  election_id: Time,
  cycle_start: Time,
  complaint_hash: Hash,
  validator_pubkey: Key,
  adnl_addr: nullable(Key),
  stake_holder_address: Type.Optional(Address),
  description_boc: Type.String({ description: 'bag of cells, base64; empty for none' }),
  created_at: Time,
  severity: Type.Integer(),
  reward_address: Address,
  paid: Amount,
  suggested_fine: Amount,
  suggested_fine_part: Type.Integer({ description: 'of 2^32 of the stake' }),
  voted_validators: Type.Array(ComplaintVoterSchema),
  vset_id: Hash,
  weight_remaining: Type.String({ description: 'signed decimal' }),
  approved_percent: Type.Number(),
  is_passed: Type.Boolean(),
});
export type ValidatorComplaintAnswer = Static<typeof ValidatorComplaintSchema>;

export const ValidatorComplaintsSchema = Type.Object({
  complaints: Type.Array(ValidatorComplaintSchema),
  ...Page,
});

export const CycleValidatorSchema = Type.Object({
  validator_index: Type.Integer(),
  validator_pubkey: Key,
  adnl_addr: Key,
  weight: Decimal,
  stake_holder_address: Type.Optional(Address),
  stake: Type.Optional(Amount),
  max_factor: Type.Optional(Factor),
  complaints: Type.Array(ValidatorComplaintSchema),
});
export type CycleValidatorAnswer = Static<typeof CycleValidatorSchema>;

export const ValidatorCycleSchema = Type.Object({
  cycle_start: Time,
  cycle_end: Time,
  election_id: Type.Optional(Time),
  total: Type.Integer(),
  main: Type.Integer(),
  total_weight: Decimal,
  total_stake: Type.Optional(Amount),
  min_stake: Type.Optional(Amount),
  max_stake: Type.Optional(Amount),
  validators_elected_for: Type.Integer(),
  elections_start_before: Type.Integer(),
  elections_end_before: Type.Integer(),
  stake_held_for: Type.Integer(),
  max_validators: Type.Integer(),
  max_main_validators: Type.Integer(),
  min_validators: Type.Integer(),
  min_stake_limit: Amount,
  max_stake_limit: Amount,
  min_total_stake: Amount,
  max_stake_factor: Factor,
  validators: Type.Optional(Type.Array(CycleValidatorSchema)),
});
export type ValidatorCycleAnswer = Static<typeof ValidatorCycleSchema>;

export const ValidatorCyclesSchema = Type.Object({
  cycles: Type.Array(ValidatorCycleSchema),
  ...Page,
});
