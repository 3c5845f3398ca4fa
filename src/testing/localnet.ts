/** A wallet of the chain. The same seed gives the same keys and addresses. */
export interface LocalnetAccount {
  /** `faucet` or `wallet-VERSION`. */
  readonly name: string;
  readonly version: 'v3r1' | 'v3r2' | 'v4r2' | 'v5r1';
  /** Friendly form, not bounceable. */
  readonly address: string;
  /** Hex of 32 bytes. */
  readonly publicKey: string;
  /** Hex of 64 bytes: seed, then public key. */
  readonly secretKey: string;
}

/** Where lite clients connect. */
export interface LocalnetLiteserver {
  readonly host: string;
  readonly port: number;
  /** Public key, base64. */
  readonly publicKey: string;
  /** Path of the global configuration for clients. */
  readonly config: string;
}

/** A network whose accounts a chain fetches with proof, each when it is needed first. */
export interface LiteserverFork {
  /** File with the global configuration: it names the lite servers. */
  readonly globalConfig: string;
  /** Masterchain seqno that the chain begins with, or `SEQNO:ROOT:FILE`, which is trusted without a proof. */
  readonly at: number | string;
}

export interface StartOptions {
  /** Seed of keys and genesis. Default `localnet`. */
  readonly seed?: string;
  /** Milliseconds between blocks with work. Default 400. */
  readonly blockMs?: number;
  /** False makes a new chain instead of copying the prepared one of the cache. Default true. */
  readonly useImage?: boolean;
  /**
   * Accounts of another network that the chain begins with. Paths: files or folders of shard states, accounts and libraries as
   * BoC. The start leaves the cache aside. Default none.
   */
  readonly fork?: string | readonly string[] | LiteserverFork;
  /** More flags of `tonhouse up`. They make the start leave the cache aside. */
  readonly flags?: readonly string[];
  /** Time limit of a start, milliseconds. Default 300,000. */
  readonly timeoutMs?: number;
}

/** A BoC of one cell: its bytes, or base64 or hex. With `@ton/core`: `cell.toBoc()`. */
export type BagOfCells = Uint8Array | string;

/** A message that is sent as an account without its key. */
export interface ImpersonatedMessage {
  readonly from: string;
  readonly to: string;
  /** Nanotons as bigint, or TON as text, `1.5`. */
  readonly value: bigint | string;
  /** Default: an empty body. */
  readonly body?: BagOfCells;
  /** StateInit of the receiver. Default none. */
  readonly init?: BagOfCells;
  /** Default true. */
  readonly bounce?: boolean;
}

export interface Impersonated {
  /** Hex hash of the external message that the transaction of `from` receives. */
  readonly hash: string;
  /** Masterchain seqno that has the transaction of `from`. */
  readonly seqno: number;
}

/** A running chain with its API. Every control resolves when the API serves the result. */
export interface Localnet {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Base of TON Center v2; its JSON-RPC is `${apiV2}/jsonRPC`. */
  readonly apiV2: string;
  /** Base of TON Center v3. */
  readonly apiV3: string;
  readonly liteserver: LocalnetLiteserver;
  /** The faucet first. */
  readonly accounts: readonly LocalnetAccount[];
  /**
   * Sends from the faucet. `amount`: nanotons as bigint, or TON as text, `1.5`.
   * @returns hex hash of the faucet's message
   */
  fund(address: string, amount: bigint | string, comment?: string): Promise<string>;
  /** Makes blocks now, 1 by default. @returns masterchain seqno of the last one */
  mine(blocks?: number): Promise<number>;
  /** Moves the time ahead and makes a block. @returns its seqno and Unix time */
  warp(seconds: number): Promise<{ readonly seqno: number; readonly utime: number }>;
  /** Generates so many transactions per second from now on; 0 ends it. */
  traffic(perSecond: number): Promise<void>;
  /** Sets the balance of an account: nanotons as bigint, or TON as text. @returns masterchain seqno that has it */
  setBalance(address: string, balance: bigint | string): Promise<number>;
  /** Sets the code of an account, and its data too if given. @returns masterchain seqno that has it */
  setCode(address: string, code: BagOfCells, data?: BagOfCells): Promise<number>;
  /** Sets the data of an account with code. @returns masterchain seqno that has it */
  setData(address: string, data: BagOfCells): Promise<number>;
  /** Sends a message as any account, which pays for it. Resolves after two blocks: the receiver has it then. */
  impersonate(message: ImpersonatedMessage): Promise<Impersonated>;
  /** Stores the chain and its index. Restarts the process at the same address. @returns id for `revert` */
  snapshot(): Promise<string>;
  /** Puts a snapshot back, as often as you like. Restarts the process at the same address. */
  revert(id: string): Promise<void>;
  /** Ends the process and removes its files. */
  stop(): Promise<void>;
}
