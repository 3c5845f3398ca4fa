/**
 * A swap in one pool, or the launch of a token of a launchpad, as `dex_trades` shows it. Addresses are raw text; empty for none. A
 * launch has no tokens and no amounts.
 */
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
  /** Of Blum, a text. */
  readonly referral: string;
  /** Only ton.fun and Blum have one. */
  readonly platformTag: string;
  readonly queryId: bigint | null;
}

/** TON as an address. */
export const NATIVE = `0:${'0'.repeat(64)}`;
