import type { TokenRow } from '../../../entities/tokens/model.ts';
import type { TraceIds } from '../../../entities/traces/ids.ts';
import type { TransferRow } from '../../../entities/transfers/model.ts';
import type { JettonBurnAnswer, JettonMasterAnswer, JettonTransferAnswer } from '../../schemas/jetton.ts';
import type { AnswerBodies } from '../answer-bodies.ts';
import { NO_ADDRESS } from './jetton-wallet.ts';
import { ownContent } from './token-content.ts';

/** JettonMaster of v3-models.md section 9. */
export function jettonMasterAnswer(row: TokenRow): JettonMasterAnswer {
  return {
    address: row.address,
    total_supply: row.amount,
    mintable: row.flag,
    admin_address: row.owner,
    // A master's content is never null (v3-models.md 9).
    jetton_content: ownContent(row) ?? {},
    jetton_wallet_code_hash: row.childCode,
    code_hash: row.codeHash,
    data_hash: row.dataHash,
    last_transaction_lt: row.lt,
  };
}

/** Traces and bodies that rows of transfers are shown with. */
export interface TransferContext {
  readonly traces: TraceIds;
  readonly bodies: AnswerBodies;
}

/** Fields of all transfers; `trace_id` is null if the trace is unknown. */
export function transferFields(row: TransferRow, { traces, bodies }: TransferContext) {
  return {
    query_id: row.queryId,
    transaction_hash: row.hash,
    transaction_lt: row.lt,
    transaction_now: row.now,
    transaction_aborted: row.aborted,
    response_destination: row.response,
    custom_payload: row.customPayload,
    decoded_custom_payload: bodies.decodedPayload(row.customPayload),
    trace_id: traces.get(row.hash)?.trace_id ?? null,
  };
}

/** JettonTransfer of v3-models.md section 9. */
export function jettonTransferAnswer(row: TransferRow, context: TransferContext): JettonTransferAnswer {
  return {
    ...transferFields(row, context),
    source: row.source ?? NO_ADDRESS,
    destination: row.destination ?? NO_ADDRESS,
    amount: row.amount,
    source_wallet: row.address,
    jetton_master: row.parent ?? NO_ADDRESS,
    forward_ton_amount: row.forwardAmount,
    forward_payload: row.forwardPayload,
    decoded_forward_payload: context.bodies.decodedPayload(row.forwardPayload),
  };
}

/** JettonBurn of v3-models.md section 9. */
export function jettonBurnAnswer(row: TransferRow, context: TransferContext): JettonBurnAnswer {
  return {
    ...transferFields(row, context),
    owner: row.source ?? NO_ADDRESS,
    jetton_wallet: row.address,
    jetton_master: row.parent ?? NO_ADDRESS,
    amount: row.amount,
  };
}
