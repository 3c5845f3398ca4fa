import type { BlockId } from '../ton/decode/block-header.ts';
import type { BlockToProve } from '../ton/proofs/check-signatures.ts';
import type { SignatureSet } from '../ton/proofs/signature-set.ts';
import type { AccountAddress } from '../ton/store/store-address.ts';
import type {
  BlockContext,
  EmulatedTransaction,
  RefusedMessage,
  TransactionRequest,
} from '../tvm/emulator.ts';
import type { GetMethodRequest, GetMethodResult } from '../tvm/get-method.ts';
import type { StackValue } from '../tvm/stack/stack-value.ts';
import type { Caller } from './caller.ts';

/** View of contracts of the chain after a masterchain block, and one account of it. BoCs in base64. */
export interface ChainView {
  readonly block: { readonly seqno: number; readonly rootHash: Uint8Array; readonly fileHash: Uint8Array };
  /** Unix time of the block. */
  readonly utime: number;
  /** Dictionary of configuration parameters. */
  readonly config: string;
  /** The masterchain block that `config` came with; 0: the zerostate. */
  readonly keySeqno: number;
  /** `HashmapE 256 ^Cell` root of public libraries; null for none. */
  readonly libraries: string | null;
  /** True if there may be other libraries: the view is of the store, which does not list them. Default false. */
  readonly hasUnknownLibraries?: boolean;
  /** As `encodePrevBlocks` gives it; null: contracts cannot look back. */
  readonly prevBlocks: string | null;
  /** ShardAccount; null if there is no account, or none was requested. */
  readonly shardAccount: string | null;
}

/**
 * Why a message was refused: `boc` not a bag of cells, `known` already waiting for a block, `refused` by its account,
 * `invalid` not a message for any account, `not_ready` no blocks are made yet.
 */
export type SendProblem = 'boc' | 'known' | 'refused' | 'invalid' | 'not_ready';

export type SendOutcome =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly problem: SendProblem;
      readonly detail: string;
      /** Exit code of the TVM, if it ran. */
      readonly exitCode: number | null;
    };

/** Receiver of external messages. */
export interface MessageOutlet {
  /** Takes a message for the next block; `boc` is one bag of cells. */
  send(boc: Uint8Array): Promise<SendOutcome>;
}

/** A source that knows the states of its chain itself. */
export interface ChainStates {
  /** The chain after a masterchain block, the newest for null; null if that state is not kept. */
  view(address: AccountAddress | null, mcSeqno: number | null): Promise<ChainView | null>;
  /** Public libraries of the newest state as BoCs; null for unpublished ones. */
  libraries(hashes: readonly Uint8Array[]): Promise<readonly (Uint8Array | null)[]>;
}

/** A block of the source with transactions of pending traces. */
export interface PendingBlock {
  readonly workchain: number;
  readonly shard: bigint;
  readonly seqno: number;
  readonly rootHash: Uint8Array;
  readonly fileHash: Uint8Array;
  readonly boc: Uint8Array;
  /** The masterchain block that committed it; null for a foreseen block, which the chain never sees. */
  readonly mcSeqno: number | null;
}

/** Traces that are not wholly in served blocks, with all their transactions so far and those foreseen. */
export interface PendingTraces {
  /** Hashes of the external messages that began them. */
  readonly externals: readonly Uint8Array[];
  /** In the order of the chain; the foreseen ones last. They have transactions of other traces too. */
  readonly blocks: readonly PendingBlock[];
}

/** A source that knows the messages that wait for its blocks. */
export interface PendingSource {
  /** Transactions that answers up to masterchain block `served` do not have yet. */
  traces(served: number): Promise<PendingTraces>;
}

/** Result of a get method with its stack read; bounded, equal values share one object. */
export type ContractResult = GetMethodResult & { readonly values: readonly StackValue[] };

/**
 * Runs contracts for callers through a fair queue. Calls end with the caller's signal. They reject with an
 * OverloadedError if too many wait, a DeadlineError if they run too long, and an HttpError if the emulator fails or the
 * result is too large.
 */
export interface ContractRunner {
  runGetMethod(request: GetMethodRequest, caller: Caller): Promise<ContractResult>;
  /** Executes a transaction of which nothing remains. */
  tryTransaction(
    trial: { readonly address: string; readonly block: BlockContext; readonly request: TransactionRequest },
    caller: Caller,
  ): Promise<EmulatedTransaction | RefusedMessage>;
}

/** A masterchain block, and the key block that names its validators. */
export interface SignedBlock extends BlockToProve {
  readonly prevKeyBlockSeqno: number;
}

/** A source that knows what proves its blocks. */
export interface BlockProofs {
  /** Signatures of the validators for a masterchain block; null if the source does not have them. */
  signatures(block: SignedBlock): Promise<SignatureSet | null>;
  /**
   * Proof in the state of a masterchain block that an earlier one is before it, as a bag; null if that state is not
   * kept. Absent: the source keeps no states.
   */
  oldBlock?(block: BlockId, earlier: BlockId): Promise<Uint8Array | null>;
}

/**
 * Runs a command of a local chain with its JSON, such as `fund`; null for an unknown command. Rejects with an HttpError if the
 * chain refuses it.
 */
export type ChainControls = (command: string, request: object) => Promise<unknown> | null;

/**
 * Loads accounts from the network that a local chain is forked from. Resolves to a masterchain block that has them all.
 * Rejects with an HttpError if that network does not deliver, or too many accounts would be loaded.
 */
export type TouchAccounts = (accounts: readonly AccountAddress[]) => Promise<number>;

/** Actions of the API beyond reads of the store; plugged in by cli/compose. */
export interface ChainPort {
  readonly runner: ContractRunner;
  /** null: this source takes no messages. */
  readonly outlet: MessageOutlet | null;
  /** null: states come from the store, if they are complete there. */
  readonly states: ChainStates | null;
  /** Absent: this source has no proofs of blocks. */
  readonly proofs?: BlockProofs;
  /** Absent: nothing is known of messages before they are in a block. */
  readonly pending?: PendingSource;
  /** Absent: the chain is not a local one. */
  readonly controls?: ChainControls;
  /** Absent: the chain has all its accounts. */
  readonly touch?: TouchAccounts;
}
