import type { NominatorEvent, ValidatorCoinsEvent } from '../../../ton/contracts/pool/pool-events.ts';
import type { PoolChange } from '../../staking/read-pool-events.ts';
import type {
  NominatorEventAnswer,
  NominatorRewardAnswer,
  PoolValidatorEventAnswer,
  PoolValidatorRewardAnswer,
} from '../schemas/staking.ts';

/** Transaction of a change. */
function place({ transaction: { hash, lt, now } }: PoolChange) {
  return { tx_hash: hash, tx_lt: lt, utime: now };
}

/** NominatorPoolEvent of v3-more.md 3. */
export function nominatorEventAnswer(change: PoolChange, event: NominatorEvent): NominatorEventAnswer {
  const { before, after } = event;
  return {
    type: event.type,
    ...place(change),
    pool_address: change.pool,
    nominator_address: event.nominator,
    amount: `${event.amount}`,
    balance_delta: `${after.active - before.active}`,
    pending_balance_delta: `${after.pending - before.pending}`,
    balance_before: `${before.active}`,
    balance_after: `${after.active}`,
    pending_balance_before: `${before.pending}`,
    pending_balance_after: `${after.pending}`,
    withdraw_request_before: event.wasRequested,
    withdraw_request_after: event.isRequested,
  };
}

/** NominatorReward of v3-more.md 3. */
export function nominatorRewardAnswer(change: PoolChange, event: NominatorEvent): NominatorRewardAnswer {
  return { reward: `${event.amount}`, stake_before: `${event.before.active}`, ...place(change) };
}

/** NominatorPoolValidatorEvent of v3-more.md 3. */
export function poolValidatorEventAnswer(
  change: PoolChange,
  event: ValidatorCoinsEvent,
): PoolValidatorEventAnswer {
  const delta = event.after - event.before;
  return {
    type: event.type,
    ...place(change),
    pool_address: change.pool,
    validator_address: event.validator,
    amount: `${delta < 0n ? -delta : delta}`,
    balance_delta: `${delta}`,
    balance_before: `${event.before}`,
    balance_after: `${event.after}`,
    validator_reward_share: event.rewardShare,
    ...round(event),
  };
}

/** NominatorPoolValidatorReward of v3-more.md 3. */
export function poolValidatorRewardAnswer(
  change: PoolChange,
  event: ValidatorCoinsEvent,
): PoolValidatorRewardAnswer {
  return {
    reward: `${event.after - event.before}`,
    balance_before: `${event.before}`,
    ...place(change),
    ...round(event),
  };
}

function round({ queryId, cycleStart }: ValidatorCoinsEvent) {
  return {
    ...(queryId === null ? {} : { query_id: `${queryId}` }),
    ...(cycleStart === null ? {} : { cycle_start: cycleStart }),
  };
}
