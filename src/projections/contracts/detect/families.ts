import type { TokenKind } from '../../../ton/contracts/token-state.ts';
import {
  type DetectedSale,
  type DetectedToken,
  type DetectionFamily,
  SALE_METHODS,
  type SaleKind,
  TOKEN_METHODS,
} from './detection.ts';
import { TokenRows } from './detection-rows.ts';
import { SaleRows } from './sale-rows.ts';

/** Jettons and NFTs. */
export const TOKENS: DetectionFamily<TokenKind, DetectedToken> = {
  table: 'detections',
  methods: TOKEN_METHODS,
  children: { kind: 'nft_item', parent: 'nft_collection' },
  rows: () => new TokenRows(),
};

/** What sells NFTs, and items that are sold by themselves. */
export const SALES: DetectionFamily<SaleKind, DetectedSale> = {
  table: 'detected_contracts',
  methods: SALE_METHODS,
  children: null,
  rows: () => new SaleRows(),
};
