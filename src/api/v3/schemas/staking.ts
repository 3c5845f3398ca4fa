import { type Static, Type } from 'typebox';
import { Page } from './address-book.ts';
import { Address, Amount, Hash, Lt } from './common.ts';

/* History of nominator pools (v3-more.md 3). */

const Utime = Type.Integer({ description: 'Unix time, seconds' });
const Delta = Type.String({ description: 'nanotons, signed decimal' });

/** Requested bounds of time; omitted if not requested. */
export const SpanFields = { start_utime: Type.Optional(Utime), end_utime: Type.Optional(Utime) };
const At = { tx_hash: Hash, tx_lt: Lt, utime: Utime };

export const NominatorEventSchema = Type.Object({
  type: Type.String({
    description: 'reward, deposit, withdrawal, pending_deposit_activation or withdrawal_request',
  }),
  ...At,
  pool_address: Address,
  nominator_address: Address,
  amount: Delta,
  balance_delta: Delta,
  pending_balance_delta: Delta,
  balance_before: Amount,
  balance_after: Amount,
  pending_balance_before: Amount,
  pending_balance_after: Amount,
  withdraw_request_before: Type.Boolean(),
  withdraw_request_after: Type.Boolean(),
});
export type NominatorEventAnswer = Static<typeof NominatorEventSchema>;

export const NominatorEventsSchema = Type.Object({
  events: Type.Array(NominatorEventSchema),
  ...Page,
  ...SpanFields,
});

export const NominatorRewardSchema = Type.Object({ reward: Delta, stake_before: Amount, ...At });
export type NominatorRewardAnswer = Static<typeof NominatorRewardSchema>;

export const NominatorRewardsSchema = Type.Object({
  rewards: Type.Array(NominatorRewardSchema),
  total_on_page: Delta,
  ...Page,
  ...SpanFields,
});

const Round = {
  query_id: Type.Optional(Type.String({ description: 'decimal' })),
  cycle_start: Type.Optional(Type.Integer({ description: 'of rewards and penalties: the round' })),
};

export const PoolValidatorEventSchema = Type.Object({
  type: Type.String({ description: 'reward, penalty, deposit or withdrawal' }),
  ...At,
  pool_address: Address,
  validator_address: Address,
  amount: Amount,
  balance_delta: Delta,
  balance_before: Amount,
  balance_after: Amount,
  validator_reward_share: Type.Integer({ description: 'parts of 10000' }),
  ...Round,
});
export type PoolValidatorEventAnswer = Static<typeof PoolValidatorEventSchema>;

export const PoolValidatorEventsSchema = Type.Object({
  events: Type.Array(PoolValidatorEventSchema),
  ...Page,
  ...SpanFields,
});

export const PoolValidatorRewardSchema = Type.Object({
  reward: Amount,
  balance_before: Amount,
  ...At,
  ...Round,
});
export type PoolValidatorRewardAnswer = Static<typeof PoolValidatorRewardSchema>;

export const PoolValidatorRewardsSchema = Type.Object({
  rewards: Type.Array(PoolValidatorRewardSchema),
  total_on_page: Amount,
  ...Page,
  ...SpanFields,
});
