/** An event of an NFT item, as `nft_events` shows it. Addresses are raw text; empty for none. Amounts are nanotons. */
export interface NftEvent {
  readonly position: number;
  readonly lt: bigint;
  readonly time: number;
  /** Base64. */
  readonly txHash: string;
  readonly traceId: string;
  readonly type: NftEventType;
  readonly item: string;
  readonly isInit: boolean;
  readonly index: bigint | null;
  readonly collection: string;
  readonly owner: string;
  /** JSON text; empty without one. */
  readonly content: string;
  readonly prevOwner: string;
  readonly queryId: bigint | null;
  readonly forwardAmount: bigint | null;
  /** Bags of cells, base64; empty without one. */
  readonly forwardPayload: string;
  readonly customPayload: string;
  readonly comment: string;
  readonly sale: SaleFacts;
}

export type NftEventType = 'mint' | 'put_on_sale' | 'cancel_sale' | 'sale' | 'transfer' | 'bid';

/** The sale or auction of an event. */
export interface SaleFacts {
  readonly contract: string;
  /** `sale`, `auction`, or empty without one. */
  readonly type: string;
  readonly endTime: number | null;
  readonly marketplace: string;
  readonly feeAddress: string;
  readonly fee: bigint | null;
  readonly price: bigint | null;
  readonly royaltyAddress: string;
  readonly royalty: bigint | null;
  readonly maxBid: bigint | null;
  readonly minBid: bigint | null;
  readonly minStep: bigint | null;
}

export const NO_SALE: SaleFacts = {
  contract: '',
  type: '',
  endTime: null,
  marketplace: '',
  feeAddress: '',
  fee: null,
  price: null,
  royaltyAddress: '',
  royalty: null,
  maxBid: null,
  minBid: null,
  minStep: null,
};
