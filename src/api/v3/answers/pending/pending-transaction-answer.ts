import { toBase64 } from '../../../../ton/hash/base64.ts';
import type { EarlierStates } from '../../../entities/transactions/earlier-states.ts';
import type { PendingTrace, PendingTransaction } from '../../../pending/pending-trace.ts';
import type { TransactionAnswer } from '../../schemas/transaction.ts';
import type { AnswerBodies } from '../answer-bodies.ts';
import { transactionAnswer } from '../transaction-answer.ts';

type Outcome = Pick<PendingTransaction, 'row' | 'emulated'>;

/**
 * Transaction of v3-models.md section 5 while its trace is pending. `trace_id`, the hash of the first transaction, is
 * known after that one is in a block. Descriptions include `is_tock` and `installed`, as on the real server
 * (v3-quirks.md 4).
 */
export function pendingTransactionAnswer(
  trace: Pick<PendingTrace, 'externalHash'> & { readonly root: Outcome },
  { row, emulated }: Outcome,
  earlier: EarlierStates,
  bodies: AnswerBodies,
): TransactionAnswer {
  const { root, externalHash } = trace;
  const answer = transactionAnswer(row, earlier, bodies);
  const { account, hash, lt, now, ...rest } = answer;
  const traceId = root.emulated ? {} : { trace_id: root.row.hash };
  // The keys in the order of the real server.
  const ids = { ...traceId, trace_external_hash: toBase64(externalHash) };
  const head = { account, hash, lt, now, mc_block_seqno: rest.mc_block_seqno, ...ids };
  if (!emulated) return { ...head, ...rest };
  return {
    ...head,
    ...rest,
    mc_block_seqno: 0,
    description: { ...rest.description, is_tock: false, installed: false },
    emulated: true,
    finality: 'pending',
  };
}
