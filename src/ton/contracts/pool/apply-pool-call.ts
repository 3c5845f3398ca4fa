import type { PoolCall, PoolTransaction } from './pool-call.ts';
import { getTotal, type PoolEntry, type PoolStorage } from './pool-storage.ts';

const TON = 1_000_000_000n;
const SHARES = 10_000n;
const NO_COINS: PoolEntry = { active: 0n, pending: 0n };

/**
 * Returns the pool after a successful call, by the rules of its contract (v3-more.md 5.3). The sent messages show
 * whether its balance covered a withdrawal. The caller compares the last of several states with the block's state.
 */
export function applyPoolCall(pool: PoolStorage, call: PoolCall, transaction: PoolTransaction): PoolStorage {
  const value = transaction.message?.value ?? 0n;
  switch (call.kind) {
    case 'recovered':
      return share(pool, value - pool.stakeSent);
    case 'stake_accepted':
      return pool.state === 1 ? { ...pool, state: 2 } : pool;
    case 'stake_refused':
      return pool.state === 1 ? { ...pool, state: 0 } : pool;
    case 'deposit':
      return deposit(pool, call.nominator, value - TON);
    case 'withdraw':
      if (pool.state === 0) return withdraw(pool, call.nominator, transaction) ?? pool;
      return { ...pool, withdrawals: new Set([...pool.withdrawals, call.nominator]) };
    case 'process':
      return process(pool, call.limit, transaction);
    case 'process_one':
      return withdraw(pool, call.nominator, transaction) ?? pool;
    case 'validator_deposit':
      return { ...pool, validatorAmount: pool.validatorAmount + value - TON };
    case 'validator_withdraw':
      return { ...pool, validatorAmount: notNegative(pool.validatorAmount - call.amount) };
    case 'stake':
      return { ...pool, state: 1, stakeSent: call.value - TON, stakeAt: call.stakeAt };
  }
}

function notNegative(amount: bigint): bigint {
  return amount < 0n ? 0n : amount;
}

/** Division that rounds down, as the contract's. */
function floorDivide(value: bigint, by: bigint): bigint {
  return value < 0n && value % by !== 0n ? value / by - 1n : value / by;
}

/** The validator has its share of a reward, and bears a loss first. */
function share(pool: PoolStorage, reward: bigint): PoolStorage {
  const cut = (reward * BigInt(pool.rewardShare)) / SHARES;
  const own = reward <= 0n || cut > reward ? reward : cut;
  const validatorAmount = pool.validatorAmount + own;
  const rest = reward <= 0n ? (validatorAmount < 0n ? validatorAmount : 0n) : reward - own;
  const staked = [...pool.nominators.values()].reduce((sum, { active }) => sum + active, 0n);
  const part = ({ active, pending }: PoolEntry): PoolEntry => ({
    active: (staked > 0n ? notNegative(active + floorDivide(rest * active, staked)) : active) + pending,
    pending: 0n,
  });
  return {
    ...pool,
    state: 0,
    stakeSent: 0n,
    validatorAmount: notNegative(validatorAmount),
    nominators: new Map([...pool.nominators].map(([name, entry]) => [name, part(entry)])),
  };
}

function deposit(pool: PoolStorage, nominator: string, amount: bigint): PoolStorage {
  const { active, pending } = pool.nominators.get(nominator) ?? NO_COINS;
  const entry =
    pool.state === 0 ? { active: active + amount, pending } : { active, pending: pending + amount };
  const nominators = new Map([...pool.nominators, [nominator, entry] as const]);
  // By address, as the dictionary has them: rewards are listed so.
  return { ...pool, nominators: new Map([...nominators].sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/** All coins of a nominator are sent at once; null if the pool did not send them. */
function withdraw(pool: PoolStorage, nominator: string, { sent }: PoolTransaction): PoolStorage | null {
  const entry = pool.nominators.get(nominator);
  if (!entry) return null;
  const total = getTotal(entry);
  // Fees of the message are taken from it; less than a coin is kept by the pool.
  const isSent = sent.some(({ to, value }) => to === nominator && value <= total && value > total - TON);
  if (!isSent && total >= TON) return null;
  const nominators = new Map(pool.nominators);
  const withdrawals = new Set(pool.withdrawals);
  nominators.delete(nominator);
  withdrawals.delete(nominator);
  return { ...pool, nominators, withdrawals };
}

/** Requests in the order of addresses, until one cannot be met. */
function process(pool: PoolStorage, limit: number, transaction: PoolTransaction): PoolStorage {
  let left = pool;
  // The contract counts after it serves a request, so it serves one even if the limit is 0.
  for (const nominator of [...pool.withdrawals].sort().slice(0, Math.max(1, limit))) {
    const after = withdraw(left, nominator, transaction);
    if (!after) break;
    left = after;
  }
  return left;
}
