import { loadOwnershipAssigned } from '../../../../ton/messages/nft-ownership.ts';
import { loadNftTransfer } from '../../../../ton/messages/nft-transfer.ts';
import type { Part } from '../../../../ton/tlb/part.ts';
import { Body, rawText } from '../../body/body.ts';

/** Ops of the contracts around items. */
export const PAYOUT_OP = 0x370fec51;
export const OUTBID_OP = 0x557cea20;

/** A transfer that an item was asked for (TEP-62). */
export interface NftTransferRequest {
  readonly queryId: bigint;
  readonly newOwner: string | null;
  readonly responseDestination: string | null;
  /** Bag of cells in base64. */
  readonly customPayload: string | null;
  readonly forwardAmount: bigint;
  /** At its start; one without bits is one too. */
  readonly forwardPayload: Body | null;
}

/** @throws CellError */
export function readNftTransfer(body: Body): NftTransferRequest {
  const { queryId, forwardAmount, ...transfer } = loadNftTransfer(body.slice);
  const open = (part: Part | null) => part && Body.ofPart(body.slice.boc, part);
  return {
    queryId,
    newOwner: rawText(transfer.newOwner),
    responseDestination: rawText(transfer.responseDestination),
    customPayload: transfer.customPayload < 0 ? null : open({ cell: transfer.customPayload })!.toBoc(),
    forwardAmount,
    forwardPayload: open(transfer.forwardPayload),
  };
}

/** ownership_assigned#05138d91 (TEP-62), after the op. */
export interface OwnershipAssigned {
  readonly queryId: bigint;
  readonly previousOwner: string | null;
  readonly payload: Body | null;
}

/** @throws CellError */
export function readOwnershipAssigned(body: Body): OwnershipAssigned {
  const { queryId, previousOwner, forwardPayload } = loadOwnershipAssigned(body.slice);
  return {
    queryId,
    previousOwner: rawText(previousOwner),
    payload: forwardPayload && Body.ofPart(body.slice.boc, forwardPayload),
  };
}

/** The query id of a body that may have none. */
export function readQueryIfThere(body: Body): bigint | null {
  return body.bitsLeft < 64 ? null : body.u64();
}
