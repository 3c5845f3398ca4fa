import type { Boc } from '../../../../ton/boc/boc.ts';
import { loadJettonTransfer } from '../../../../ton/messages/jetton-transfer.ts';
import { loadPayload } from '../../../../ton/messages/payload.ts';
import type { Part } from '../../../../ton/tlb/part.ts';
import { Body, rawText } from '../../body/body.ts';
import { type Comment, readComment } from '../../body/text.ts';

/** A transfer that a jetton wallet was asked for (TEP-74). */
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

/** Reads the payload at the end of a body. One without bits counts as none. @throws CellError */
export function readForwardPayload({ slice }: Body): Body | null {
  return openPayload(slice.boc, loadPayload(slice));
}

function openPayload(boc: Boc, part: Part | null): Body | null {
  const payload = part && Body.ofPart(boc, part);
  return payload && payload.bitsLeft > 0 ? payload : null;
}

/** @throws CellError */
export function readTransferRequest(body: Body): TransferRequest {
  const transfer = loadJettonTransfer(body.slice);
  const { boc } = body.slice;
  return {
    queryId: transfer.queryId,
    amount: transfer.amount,
    destination: rawText(transfer.destination),
    responseDestination: rawText(transfer.responseDestination),
    customPayload:
      transfer.customPayload < 0 ? null : Body.ofPart(boc, { cell: transfer.customPayload }).toBoc(),
    forwardAmount: transfer.forwardAmount,
    forwardPayload: openPayload(boc, transfer.forwardPayload),
  };
}

/** The comment of a forward payload that may be absent. */
export function payloadComment(payload: Body | null): Comment {
  return payload ? readComment(payload) : { text: null, isEncrypted: false };
}
