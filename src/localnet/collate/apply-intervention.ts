import type { Cell } from '../../ton/cell/cell.ts';
import { readCell } from '../../ton/cell/cells-of-bag.ts';
import { countCells } from '../../ton/cell/count-cells.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import type { AccountChange, Intervention } from './intervene/intervention.ts';
import { sendProblem } from './intervene/send-as.ts';
import type { TransactionRun } from './transaction-run.ts';

/** `max_acc_state_cells` and `max_vm_data_depth` of parameter 43, as on mainnet. */
const MAX_STATE_CELLS = 65_536;
const MAX_DEPTH = 512;
/** 10^18 TON: the sum of a billion such balances fits into Grams. */
const MAX_BALANCE = 10n ** 27n;

/** Does an intervention on the accounts of its shard. @returns why it cannot be done, null if it was done */
export function applyIntervention(run: TransactionRun, one: Intervention, minLt: bigint): string | null {
  if (one.kind === 'load') {
    run.load(one, minLt);
    return null;
  }
  if (one.kind === 'set') {
    const problem = changeProblem(run, one);
    if (problem === null) run.set(one, minLt);
    return problem;
  }
  const sent = run.sendAs(one, minLt);
  return sent.accepted ? sendProblem(sent.cell) : sent.error;
}

function changeProblem(run: TransactionRun, { account, balance, code, data }: AccountChange): string | null {
  if (balance !== undefined && (balance < 0n || balance > MAX_BALANCE))
    return `balance: expected 0 to ${MAX_BALANCE} nanotons, found ${balance}`;
  const parts = [code, data].filter((cell) => cell !== undefined);
  const { cells } = countCells(parts);
  if (cells > MAX_STATE_CELLS)
    return `code and data: expected at most ${MAX_STATE_CELLS} cells, found ${cells}`;
  for (const [name, cell] of Object.entries({ code, data })) {
    if (cell === undefined) continue;
    if (cell.levelMask !== 0) return `${name}: expected a complete cell, found one with pruned branches`;
    if (cell.depth() > MAX_DEPTH)
      return `${name}: expected a depth of at most ${MAX_DEPTH}, found ${cell.depth()}`;
  }
  const status = run.accounts.get(account.address)?.status ?? 'nonexist';
  if (data !== undefined && code === undefined && status !== 'active')
    return `data: expected an account with code, found one that is ${status}: set its code too`;
  return null;
}

/** The intervention with cells of its own: a step that is not taken leaves its cells settled (make-update.ts). */
export function copyCells(one: Intervention): Intervention {
  if (one.kind === 'send') return one;
  if (one.kind === 'load') return { ...one, origin: copy(one.origin) };
  const { code, data } = one;
  return { ...one, ...(code && { code: copy(code) }), ...(data && { data: copy(data) }) };
}

const copy = (cell: Cell) => readCell(writeBag(cell));
