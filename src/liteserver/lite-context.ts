import type { BlockId } from '../ton/decode/block-header.ts';
import type { BlockToProve } from '../ton/proofs/check-signatures.ts';
import type { SignatureSet } from '../ton/proofs/signature-set.ts';
import type { AccountAddress } from '../ton/store/store-address.ts';
import type { LiteBlock } from './chain/lite-block.ts';
import type { BlockSought, LiteChain } from './chain/lite-chain.ts';

/** Blocks that the index has and memory no longer does. */
export interface OlderBlocks {
  find(sought: BlockSought): Promise<LiteBlock | null>;
  /** The newest masterchain block. */
  newest(): Promise<LiteBlock | null>;
}

/** A get method on an account after a masterchain block. */
export interface MethodCall {
  readonly workchain: number;
  readonly address: Uint8Array;
  readonly mcSeqno: number;
  readonly methodId: number;
  /** `VmStack`; empty for no arguments. */
  readonly stack: Uint8Array;
}

export interface MethodOutcome {
  readonly exitCode: number;
  /** `VmStack`. */
  readonly stack: Uint8Array;
}

/** Why a message was refused; null for one that was taken. */
export type SendRefusal = string | null;

/** A masterchain block whose signatures are needed. */
export interface SignedBlock extends BlockToProve {
  readonly prevKeyBlockSeqno: number;
}

/**
 * Loads an account of the network that the chain is a fork of. Resolves to the masterchain block that loaded it; 0 if it was
 * decided before.
 * @throws LiteServerError no server delivered it
 */
export type LoadAccount = (account: AccountAddress) => Promise<number>;

/** What the answers are made from. Ports that are null answer with the protocol's error. */
export interface LiteContext {
  readonly chain: LiteChain;
  /** Zerostate of the masterchain. */
  readonly zerostate: BlockId;
  readonly older: OlderBlocks | null;
  /** Signatures of a masterchain block; null if none are known. */
  signatures(block: SignedBlock): Promise<SignatureSet | null>;
  readonly send: ((boc: Uint8Array) => Promise<SendRefusal>) | null;
  /** Resolves to null if the state is no longer kept. */
  readonly runMethod: ((call: MethodCall) => Promise<MethodOutcome | null>) | null;
  /** Null unless accounts come from another network when they are needed. */
  readonly load: LoadAccount | null;
}
