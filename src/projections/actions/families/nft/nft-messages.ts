import type { Body } from '../../body/body.ts';

/** Ops of TEP-62 and of the contracts around items. */
export const NFT_TRANSFER_OP = 0x5fcc3d14;
export const OWNERSHIP_ASSIGNED_OP = 0x05138d91;
export const EXCESS_OP = 0xd53276db;
export const PAYOUT_OP = 0x370fec51;
export const OUTBID_OP = 0x557cea20;

/** transfer#5fcc3d14 (TEP-62), after the op. */
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
  return {
    queryId: body.u64(),
    newOwner: body.address(),
    responseDestination: body.address(),
    customPayload: body.maybeRef()?.toBoc() ?? null,
    forwardAmount: body.coins(),
    forwardPayload: body.either(),
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
  return { queryId: body.u64(), previousOwner: body.address(), payload: body.either() };
}

/** The query id of a body that may have none. */
export function readQueryIfThere(body: Body): bigint | null {
  return body.bitsLeft < 64 ? null : body.u64();
}
