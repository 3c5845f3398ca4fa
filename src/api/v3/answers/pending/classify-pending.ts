import { CellError } from '../../../../ton/boc/cell-error.ts';
import { toBase64 } from '../../../../ton/hash/base64.ts';
import type { ClassifiedAction, ClassifiedTrace } from '../../../classifier-port.ts';
import type { PendingTrace } from '../../../pending/pending-trace.ts';
import { readAccountBag, type UnconfirmedAccount } from '../../../pending/unconfirmed-account.ts';
import { rawAddress } from '../../../query/account-id.ts';
import type { ReadScope } from '../../../query/scope.ts';
import { isShown } from '../../parameters/action-types.ts';
import type { ActionAnswer } from '../../schemas/action.ts';
import { pendingActionAnswer } from '../action-answer.ts';
import { classifierTrace } from '../classifier-trace.ts';
import { classifyUnconfirmed, readUnconfirmed, type UnconfirmedContracts } from './classify-unconfirmed.ts';

/** Known classification of pending traces. */
export interface ClassifiedPending {
  readonly outcomes: ReadonlyMap<PendingTrace, ClassifiedTrace>;
  readonly unconfirmed: UnconfirmedContracts;
}

/** Classifies those traces whose transactions are all here. Nothing is known where `contracts` cannot be read. */
export async function classifyPending(
  scope: ReadScope,
  traces: readonly PendingTrace[],
): Promise<ClassifiedPending> {
  const complete = traces.filter(({ isTooLarge }) => !isTooLarge);
  const unconfirmed = await readUnconfirmed(scope, findAccounts(complete));
  if (!unconfirmed) return { outcomes: new Map(), unconfirmed: { accounts: new Map(), tokens: new Map() } };
  const open = complete.map((trace) => {
    const rows = trace.transactions.map(({ row }) => row);
    return { trace, input: classifierTrace(trace.root.row.hash, rows) };
  });
  return { outcomes: await classifyUnconfirmed(scope, open, unconfirmed), unconfirmed };
}

/** The accounts of transactions that no served block has. */
function findAccounts(traces: readonly PendingTrace[]): Map<string, UnconfirmedAccount> {
  const found = new Map<string, UnconfirmedAccount>();
  for (const { transactions, accounts } of traces)
    for (const { row, emulated } of transactions) {
      const raw = rawAddress({ workchain: row.workchain, hash: row.account });
      const bag = emulated && !found.has(raw) ? accounts.get(raw) : undefined;
      const account = bag && readShown(bag);
      if (account) found.set(raw, account);
    }
  return found;
}

/** null if the block omits too much of the account. */
function readShown(bag: Uint8Array): UnconfirmedAccount | null {
  try {
    return readAccountBag(bag);
  } catch (error) {
    if (error instanceof CellError) return null;
    throw error;
  }
}

/** The actions of a pending trace that a client sees, by start, then end. */
export function shownActions(
  outcome: ClassifiedTrace | undefined,
  types: ReadonlySet<string>,
): readonly ClassifiedAction[] {
  return (outcome?.actions ?? [])
    .filter((action) => isShown(action, types))
    .toSorted((a, b) => Number(a.startLt - b.startLt) || Number(a.endLt - b.endLt));
}

/** Action of a pending trace; masterchain seqnos of transactions in no served block are 0. */
export function actionOfPending(
  action: ClassifiedAction,
  { root, transactions, externalHash }: PendingTrace,
  withAccounts = false,
): ActionAnswer {
  const last = transactions.at(-1)!.row;
  const seqnos = transactions.map(({ row, emulated }) => (emulated ? 0 : row.mc_seqno));
  const trace = {
    trace_id: root.emulated ? null : root.row.hash,
    external_hash: toBase64(externalHash),
    end_lt: last.lt,
    end_utime: last.now,
    mc_seqno_end: Math.max(...seqnos),
  };
  return pendingActionAnswer(action, trace, withAccounts);
}
