import { toBase64 } from '../../ton/hash/base64.ts';
import type { ClassifiedAction } from '../classifier-port.ts';
import type { TokenRow } from '../entities/tokens/model.ts';
import type { TransactionRow } from '../entities/transactions/model.ts';
import { HttpError } from '../http/errors/http-error.ts';
import { rawAddress } from '../query/account-id.ts';
import type { ReadScope } from '../query/scope.ts';
import { addressesOfActions } from '../v3/answers/action-addresses.ts';
import { byEnd, pendingActionAnswer } from '../v3/answers/action-answer.ts';
import { AnswerBodies } from '../v3/answers/answer-bodies.ts';
import { classifierTrace } from '../v3/answers/classifier-trace.ts';
import { classifyUnconfirmed, readUnconfirmed } from '../v3/answers/pending/classify-unconfirmed.ts';
import { unconfirmedBook, unconfirmedMetadata } from '../v3/answers/pending/describe-unconfirmed.ts';
import { pendingTransactionAnswer } from '../v3/answers/pending/pending-transaction-answer.ts';
import { traceTree } from '../v3/answers/trace-tree.ts';
import { traceAccounts } from '../v3/answers/transactions-answer.ts';
import { isShown } from '../v3/parameters/action-types.ts';
import type { TransactionAnswer } from '../v3/schemas/transaction.ts';
import { resolveReads } from '../version-vector.ts';
import type { EmulatedTraceAnswer } from './schemas.ts';
import type { EmulatedTrace } from './trace-emulation.ts';

/** Requested parts of an answer in addition to the transactions. */
export interface EmulationChoices {
  /** Types of actions that the client shows; null: no actions. */
  readonly actionTypes: ReadonlySet<string> | null;
  readonly withCells: boolean;
  readonly withBook: boolean;
  readonly withMetadata: boolean;
}

/** Facts that name an emulation. */
export interface EmulationFacts {
  /** The masterchain block whose states it began with. */
  readonly mcSeqno: number;
  readonly randomSeed: Uint8Array;
  /** Hash of the external message. */
  readonly externalHash: Uint8Array;
}

/**
 * Answer of v3-rules.md 1.2.
 * @throws HttpError 400 metadata, ProjectionUnavailableError actions are asked for, and `contracts` cannot be read
 */
export async function emulationAnswer(
  scope: ReadScope,
  trace: EmulatedTrace,
  facts: EmulationFacts,
  choices: EmulationChoices,
): Promise<EmulatedTraceAnswer> {
  const { rows, cells } = trace;
  const { actions, tokens } = await readContracts(scope, trace, choices);
  const named = new Set([...traceAccounts(rows).map(rawAddress), ...addressesOfActions(actions, true)]);
  const [book, metadata] = await Promise.all([
    choices.withBook ? unconfirmedBook(scope, [...named], trace.accounts) : null,
    choices.withMetadata ? unconfirmedMetadata(scope, [...named], tokens) : null,
  ]);
  const shown = actions.filter((action) => isShown(action, choices.actionTypes!)).sort(byEnd);
  const actionTrace = { ...getEnd(rows), trace_id: null, external_hash: toBase64(facts.externalHash) };
  return {
    mc_block_seqno: facts.mcSeqno,
    trace: traceTree(rows).root!,
    transactions: emulatedTransactions(trace, facts, new AnswerBodies(scope.context)),
    ...(choices.actionTypes && {
      actions: shown.map((action) => pendingActionAnswer(action, actionTrace, true)),
    }),
    ...(choices.withCells && { code_cells: cells.code, data_cells: cells.data }),
    ...(book && { address_book: book }),
    ...(metadata && { metadata }),
    rand_seed: toBase64(facts.randomSeed),
    is_incomplete: trace.isIncomplete,
  };
}

interface ContractFacts {
  readonly actions: readonly ClassifiedAction[];
  readonly tokens: ReadonlyMap<string, TokenRow>;
}

/** Actions and tokens from the projection `contracts`, if the answer needs them. */
async function readContracts(
  scope: ReadScope,
  trace: EmulatedTrace,
  { actionTypes, withMetadata }: EmulationChoices,
): Promise<ContractFacts> {
  if (!actionTypes && !withMetadata) return { actions: [], tokens: new Map() };
  const unconfirmed = await readUnconfirmed(scope, trace.accounts);
  if (!unconfirmed) {
    if (actionTypes) resolveReads(scope.context.vector(), ['contracts']);
    throw noMetadata();
  }
  if (!actionTypes) return { tokens: unconfirmed.tokens, actions: [] };
  const open = [{ trace, input: classifierTrace(trace.rows[0]!.hash, trace.rows) }];
  const actions = (await classifyUnconfirmed(scope, open, unconfirmed)).get(trace)?.actions ?? [];
  return { tokens: unconfirmed.tokens, actions };
}

const noMetadata = () => new HttpError(400, 'invalid request: address book and metadata are not available');

/** Transactions of v3-models.md section 5 by hash, as pending ones, in a block that would follow. */
function emulatedTransactions(
  { rows }: EmulatedTrace,
  { externalHash }: EmulationFacts,
  bodies: AnswerBodies,
): Record<string, TransactionAnswer> {
  const trace = { root: { row: rows[0]!, emulated: true }, externalHash };
  return Object.fromEntries(
    rows.map((row) => {
      const answer = pendingTransactionAnswer(trace, { row, emulated: true }, new Map(), bodies);
      return [row.hash, { ...answer, mc_block_seqno: row.mc_seqno }];
    }),
  );
}

function getEnd(rows: readonly TransactionRow[]) {
  const last = rows.at(-1)!;
  const mcSeqno = Math.max(...rows.map(({ mc_seqno }) => mc_seqno));
  return { end_lt: last.lt, end_utime: last.now, mc_seqno_end: mcSeqno };
}
