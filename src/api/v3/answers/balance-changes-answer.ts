import type { TransactionRow } from '../../entities/transactions/model.ts';
import type { JettonMove } from '../../entities/transfers/jetton-moves.ts';
import { rawAddress } from '../../query/account-id.ts';
import type { BalanceChangesAnswer } from '../schemas/balance-changes.ts';
import { standardAddress } from './message-answer.ts';

/** Changes where nothing moved. */
export const NO_CHANGES: BalanceChangesAnswer = { changes: {}, fees: {}, jettons: {} };

/** Nanotons by raw address. */
type Amounts = Map<string, bigint>;

/**
 * Changes by the transactions and transfers (v3-rules.md 5): values of received messages, less fees. Fees are the
 * transactions' fees and the forwarding fees of their messages.
 */
export function balanceChangesAnswer(
  rows: readonly TransactionRow[],
  moves: readonly JettonMove[],
): BalanceChangesAnswer {
  const [moved, fees]: [Amounts, Amounts] = [new Map(), new Map()];
  for (const row of rows) addTransaction(row, moved, fees);
  for (const [account, fee] of fees) add(moved, account, -fee);
  return { changes: numbers(moved), fees: numbers(fees), jettons: sumJettons(moves) };
}

function addTransaction(row: TransactionRow, moved: Amounts, fees: Amounts): void {
  const account = rawAddress({ workchain: row.workchain, hash: row.account });
  add(fees, account, BigInt(row.total_fees));
  for (const { direction, kind, source, value, fwdFee } of row.messages) {
    if (direction === 'out') add(fees, account, fwdFee);
    else if (kind === 'internal') {
      add(moved, account, value);
      const sender = standardAddress(source);
      if (sender) add(moved, sender, -value);
    }
  }
}

function sumJettons(moves: readonly JettonMove[]): BalanceChangesAnswer['jettons'] {
  const byOwner = new Map<string, Amounts>();
  const move = (owner: string, master: string, amount: bigint) => {
    const amounts = byOwner.get(owner) ?? new Map<string, bigint>();
    byOwner.set(owner, amounts);
    add(amounts, master, amount);
  };
  for (const { from, to, master, amount } of moves) {
    move(from, master, -amount);
    move(to, master, amount);
  }
  return Object.fromEntries(
    [...byOwner].map(([owner, amounts]) => [
      owner,
      Object.fromEntries([...amounts].map(([master, amount]) => [master, `${amount}`])),
    ]),
  );
}

function add(amounts: Amounts, account: string, amount: bigint): void {
  amounts.set(account, (amounts.get(account) ?? 0n) + amount);
}

function numbers(amounts: Amounts): Record<string, number> {
  return Object.fromEntries([...amounts].map(([account, amount]) => [account, exactNumber(amount)]));
}

/** A JSON number of all its digits: beyond 2^53 nanotons (nine million TON) a number of JavaScript would lose some. */
function exactNumber(amount: bigint): number {
  const number = Number(amount);
  if (Number.isSafeInteger(number)) return number;
  return (JSON as unknown as { rawJSON(text: string): number }).rawJSON(`${amount}`);
}
