import type { TokenKind } from '../../../ton/contracts/token-state.ts';
import { DetectedContractRows } from './detected-contract-rows.ts';
import {
  type DetectedContract,
  type DetectedContractKind,
  type DetectedToken,
  type DetectionFamily,
  MULTISIG_METHODS,
  NAME_METHODS,
  SALE_METHODS,
  TOKEN_METHODS,
} from './detection.ts';
import { TokenRows } from './detection-rows.ts';

/** Jettons and NFTs. */
export const TOKENS: DetectionFamily<TokenKind, DetectedToken> = {
  table: 'detections',
  methods: TOKEN_METHODS,
  children: {
    kind: 'nft_item',
    parent: 'nft_collection',
    known: (contracts, parents) =>
      `SELECT account, workchain FROM ${contracts}.tokens_by_parent WHERE (parent, parent_workchain) IN (${parents}) AND kind = 'nft_item'`,
  },
  hasEnded: true,
  rows: () => new TokenRows(),
};

/** Contracts that sell NFTs, items that sell themselves, multisigs and their orders, names. */
export const CONTRACTS: DetectionFamily<DetectedContractKind, DetectedContract> = {
  table: 'detected_contracts',
  methods: { ...SALE_METHODS, ...MULTISIG_METHODS, ...NAME_METHODS },
  children: {
    kind: 'multisig_order',
    parent: 'multisig',
    known: (contracts, parents) =>
      `SELECT account, workchain FROM ${contracts}.contract_keys WHERE (key, key_workchain) IN (${parents}) AND role = 'multisig'`,
  },
  hasEnded: false,
  rows: () => new DetectedContractRows(),
};
