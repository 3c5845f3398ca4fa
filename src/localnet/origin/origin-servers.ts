import type { AccountAddress } from '../../ton/store/store-address.ts';

/** A masterchain block of another network. */
export interface OriginBlock {
  readonly seqno: number;
  /** 32 bytes each. */
  readonly rootHash: Uint8Array;
  readonly fileHash: Uint8Array;
}

/**
 * The network that a chain is forked from. Every answer is proven by the block. A call rejects if no server delivers, or with the
 * reason of its signal; it never returns null for that.
 */
export interface OriginServers {
  /** Id of the block that `--at` names, as far as `--trust` proves it. */
  block(at: string, signal: AbortSignal): Promise<OriginBlock>;
  /** Bag of the dictionary of the configuration after a block. */
  config(block: OriginBlock, signal: AbortSignal): Promise<Uint8Array>;
  /** Bag of an Account after a block; null if it is proven to be absent. */
  account(block: OriginBlock, account: AccountAddress, signal: AbortSignal): Promise<Uint8Array | null>;
  /** Bags of libraries by hash (lower-case hex). Those that no server has are left out. */
  libraries(hashes: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Uint8Array>>;
  close(): Promise<void>;
}

/** How a chain reaches the network that it is forked from. */
export interface OriginOptions {
  /** Folder of the block, the servers and their answers. */
  readonly directory: string;
  /** True if `--fork liteserver` was given: a new chain begins with it. */
  readonly isGiven: boolean;
  /** `--at`; null if it was not given. */
  readonly at: string | null;
  /**
   * Reads the global configuration. `stored`: its content at the last start, which is the result if no file is given, or if the
   * file is gone. Null for none.
   */
  readConfig(stored: string | null): Promise<string | null>;
  /** Connects to the servers of a global configuration. */
  open(config: string): OriginServers;
}
