import { applyPoolCall } from './apply-pool-call.ts';
import { type PoolTransaction, readPoolCall } from './pool-call.ts';
import { type PoolEvents, poolEvents } from './pool-events.ts';
import type { PoolStorage } from './pool-storage.ts';

/** Events of one transaction. */
export interface TransactionEvents<T extends PoolTransaction> {
  readonly transaction: T;
  readonly events: PoolEvents;
}

/**
 * Returns the events between two states of a pool, from the transactions between them in their order. A block has only
 * the last state. States between several transactions follow from their messages, and count only if they lead to the
 * last state.
 *
 * @returns null if the transactions do not explain the second state
 */
export function poolHistory<T extends PoolTransaction>(
  before: PoolStorage,
  after: PoolStorage,
  { transactions, elector }: { readonly transactions: readonly T[]; readonly elector: string },
): TransactionEvents<T>[] | null {
  const calls = transactions.flatMap((transaction) => {
    const call = readPoolCall(transaction, elector);
    return call ? [{ transaction, call }] : [];
  });
  const states = [before];
  for (const { transaction, call } of calls)
    states.push(applyPoolCall(states.at(-1) as PoolStorage, call, transaction));
  // A single call led to the state in the block, whatever was predicted.
  if (calls.length === 1) states[1] = after;
  else if (!isSame(states.at(-1) as PoolStorage, after)) return null;
  return calls.map(({ transaction, call }, i) => ({
    transaction,
    events: poolEvents(states[i] as PoolStorage, states[i + 1] as PoolStorage, call),
  }));
}

function isSame(a: PoolStorage, b: PoolStorage): boolean {
  return toText(a) === toText(b);
}

function toText({ nominators, withdrawals, ...pool }: PoolStorage): string {
  const entries = [...nominators].map(([name, { active, pending }]) => `${name} ${active} ${pending}`);
  const parts = [Object.values(pool).join(' '), entries.sort().join(), [...withdrawals].sort().join()];
  return parts.join(';');
}
