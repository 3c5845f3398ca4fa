import { CONTRACT_KEYS } from '../../tables/contract-states.ts';
import { DETECTED_CONTRACTS } from '../../tables/detections.ts';
import { TOKENS_LATEST } from '../../tables/token-states.ts';
import {
  type DetectedContractKind,
  MULTISIG_METHODS,
  NAME_METHODS,
  SALE_METHODS,
  TOKEN_METHODS,
} from '../../ton/contracts/codes/kind-methods.ts';
import type { TokenKind } from '../../ton/contracts/token-state.ts';
import type { DetectionFamily } from './detection.ts';

/** Jettons and NFTs. */
export const TOKENS: DetectionFamily<TokenKind> = {
  outcomes: 'token_outcomes',
  newest: { table: TOKENS_LATEST.name, isFound: 'NOT is_gone' },
  methods: TOKEN_METHODS,
  children: {
    kind: 'nft_item',
    parent: 'nft_collection',
    known: (contracts, parents) =>
      `SELECT account, workchain FROM ${contracts}.tokens_by_parent WHERE (parent, parent_workchain) IN (${parents}) AND kind = 'nft_item'`,
  },
  hasEnded: true,
};

/** Contracts that sell NFTs, items that sell themselves, multisigs and their orders, names. */
export const CONTRACTS: DetectionFamily<DetectedContractKind> = {
  outcomes: 'contract_outcomes',
  newest: { table: DETECTED_CONTRACTS.name, isFound: "reason = ''" },
  methods: { ...SALE_METHODS, ...MULTISIG_METHODS, ...NAME_METHODS },
  children: {
    kind: 'multisig_order',
    parent: 'multisig',
    known: (contracts, parents) =>
      `SELECT account, workchain FROM ${contracts}.${CONTRACT_KEYS.name} WHERE (key, key_workchain) IN (${parents}) AND role = 'multisig'`,
  },
  hasEnded: false,
};
