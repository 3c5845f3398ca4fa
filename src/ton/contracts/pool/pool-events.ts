import type { PoolCall } from './pool-call.ts';
import { getTotal, type PoolEntry, type PoolStorage } from './pool-storage.ts';

export type NominatorEventType =
  | 'reward'
  | 'deposit'
  | 'withdrawal'
  | 'pending_deposit_activation'
  | 'withdrawal_request';

/** A change of one nominator's coins (v3-more.md 3 and 5.3); amounts in nanotons. */
export interface NominatorEvent {
  readonly type: NominatorEventType;
  readonly nominator: string;
  /** Negative only in a `reward` that is a loss. */
  readonly amount: bigint;
  readonly before: PoolEntry;
  readonly after: PoolEntry;
  readonly wasRequested: boolean;
  readonly isRequested: boolean;
}

/** A change of the validator's own coins. */
export interface ValidatorCoinsEvent {
  readonly type: 'reward' | 'penalty' | 'deposit' | 'withdrawal';
  readonly validator: string;
  readonly rewardShare: number;
  readonly before: bigint;
  readonly after: bigint;
  readonly queryId: bigint | null;
  /** Round of a reward or penalty; null if unknown. */
  readonly cycleStart: number | null;
}

/** Changes by one transaction, nominators by address. */
export interface PoolEvents {
  readonly nominators: readonly NominatorEvent[];
  readonly validator: readonly ValidatorCoinsEvent[];
}

const NO_COINS: PoolEntry = { active: 0n, pending: 0n };

/** Changes of a pool by a call. */
export function poolEvents(before: PoolStorage, after: PoolStorage, call: PoolCall): PoolEvents {
  const names = new Set([...before.nominators.keys(), ...after.nominators.keys(), ...after.withdrawals]);
  return {
    nominators: [...names].sort().flatMap((name) => nominatorEvents(name, before, after, call)),
    validator: validatorEvents(before, after, call),
  };
}

function nominatorEvents(
  nominator: string,
  before: PoolStorage,
  after: PoolStorage,
  { kind }: PoolCall,
): NominatorEvent[] {
  const [had, has] = [
    before.nominators.get(nominator) ?? NO_COINS,
    after.nominators.get(nominator) ?? NO_COINS,
  ];
  const shared = {
    nominator,
    before: had,
    after: has,
    wasRequested: before.withdrawals.has(nominator),
    isRequested: after.withdrawals.has(nominator),
  };
  const change = getTotal(has) - getTotal(had);
  if (kind === 'recovered') return roundEvents(shared, change);
  if (change > 0n) return [{ ...shared, type: 'deposit', amount: change }];
  if (change < 0n) return [{ ...shared, type: 'withdrawal', amount: -change }];
  return shared.isRequested && !shared.wasRequested
    ? [{ ...shared, type: 'withdrawal_request', amount: 0n }]
    : [];
}

/** The end of a round: first the reward, all of it active; then the pending deposit becomes active. */
function roundEvents(shared: Omit<NominatorEvent, 'type' | 'amount'>, change: bigint): NominatorEvent[] {
  const { before, after } = shared;
  const between = { active: before.active + change, pending: before.pending };
  const moved = before.pending - after.pending;
  return [
    ...(change === 0n ? [] : [{ ...shared, type: 'reward' as const, amount: change, after: between }]),
    ...(moved > 0n
      ? [{ ...shared, type: 'pending_deposit_activation' as const, amount: moved, before: between }]
      : []),
  ];
}

function validatorEvents(before: PoolStorage, after: PoolStorage, call: PoolCall): ValidatorCoinsEvent[] {
  const type = validatorEventType(call, after.validatorAmount - before.validatorAmount);
  if (type === null) return [];
  const isRound = call.kind === 'recovered';
  return [
    {
      type,
      validator: after.validator,
      rewardShare: after.rewardShare,
      before: before.validatorAmount,
      after: after.validatorAmount,
      queryId: 'queryId' in call ? call.queryId : null,
      cycleStart: isRound && before.stakeAt !== 0 ? before.stakeAt : null,
    },
  ];
}

function validatorEventType({ kind }: PoolCall, change: bigint): ValidatorCoinsEvent['type'] | null {
  if (change === 0n) return null;
  if (kind === 'recovered') return change > 0n ? 'reward' : 'penalty';
  if (kind === 'validator_deposit') return 'deposit';
  return kind === 'validator_withdraw' ? 'withdrawal' : null;
}
