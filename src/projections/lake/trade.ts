/** A swap in one pool, as `dex_trades` shows it. Addresses are raw text; empty for none. */
export interface Trade {
  readonly position: number;
  readonly lt: bigint;
  readonly time: number;
  /** Base64. */
  readonly txHash: string;
  readonly traceId: string;
  readonly project: string;
  readonly version: number;
  readonly trader: string;
  readonly pool: string;
  readonly router: string;
  readonly payer: string;
  readonly sold: string;
  readonly bought: string;
  readonly amountSold: bigint;
  readonly amountBought: bigint;
  readonly reserves: readonly [sold: bigint, bought: bigint] | null;
  readonly referral: string;
  readonly queryId: bigint | null;
}

/** TON as an address. */
export const NATIVE = `0:${'0'.repeat(64)}`;
