import type { Body } from '../../body/body.ts';
import { type Comment, readComment } from '../../body/text.ts';

/** Ops of TEP-74 and of the usual jetton masters. */
export const JETTON_TRANSFER_OP = 0x0f8a7ea5;
export const INTERNAL_TRANSFER_OP = 0x178d4519;
export const NOTIFICATION_OP = 0x7362d09c;
export const BURN_OP = 0x595f07bc;
export const BURN_NOTIFICATION_OP = 0x7bdd97de;

/** transfer#0f8a7ea5 (TEP-74), after the op. */
export interface TransferRequest {
  readonly queryId: bigint;
  readonly amount: bigint;
  readonly destination: string | null;
  readonly responseDestination: string | null;
  /** Bag of cells in base64. */
  readonly customPayload: string | null;
  readonly forwardAmount: bigint;
  /** Starts at its opcode; null if absent or without bits. */
  readonly forwardPayload: Body | null;
}

/** Payload at the end of a body: `Either Cell ^Cell`. One without bits counts as none. */
export function readForwardPayload(body: Body): Body | null {
  const payload = body.either();
  return payload && payload.bitsLeft > 0 ? payload : null;
}

/** @throws CellError */
export function readTransferRequest(body: Body): TransferRequest {
  return {
    queryId: body.u64(),
    amount: body.coins(),
    destination: body.address(),
    responseDestination: body.address(),
    customPayload: body.maybeRef()?.toBoc() ?? null,
    forwardAmount: body.coins(),
    forwardPayload: readForwardPayload(body),
  };
}

/** internal_transfer#178d4519 (TEP-74), after the op. */
export interface InternalTransfer {
  readonly queryId: bigint;
  readonly amount: bigint;
  readonly from: string | null;
  readonly responseAddress: string | null;
  readonly forwardAmount: bigint;
}

/** @throws CellError */
export function readInternalTransfer(body: Body): InternalTransfer {
  return {
    queryId: body.u64(),
    amount: body.coins(),
    from: body.address(),
    responseAddress: body.address(),
    forwardAmount: body.coins(),
  };
}

/** The comment of a forward payload that may be absent. */
export function payloadComment(payload: Body | null): Comment {
  return payload ? readComment(payload) : { text: null, isEncrypted: false };
}
