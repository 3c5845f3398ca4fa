import type { Endpoint } from '../endpoint.ts';
import type { PostEndpoint } from '../post-endpoint.ts';
import { accountStates } from './account-states.ts';
import { addressBookRoute } from './address-book.ts';
import { addressInformation, walletInformation } from './address-information.ts';
import { adjacentTransactions } from './adjacent-transactions.ts';
import { blocks } from './blocks.ts';
import { estimateFee } from './estimate-fee.ts';
import { masterchainBlockShardState } from './masterchain-block-shard-state.ts';
import { masterchainBlockShards } from './masterchain-block-shards.ts';
import { masterchainInfo } from './masterchain-info.ts';
import { message } from './message.ts';
import { messages } from './messages.ts';
import { pendingTraces } from './pending-traces.ts';
import { pendingTransactions } from './pending-transactions.ts';
import { runGetMethod } from './run-get-method.ts';
import { topAccountsByBalance } from './top-accounts-by-balance.ts';
import { transactions } from './transactions.ts';
import { transactionsByMasterchainBlock } from './transactions-by-masterchain-block.ts';
import { transactionsByMessage } from './transactions-by-message.ts';

/** Every GET endpoint of v3, in the order of its documentation. */
export const ENDPOINTS: readonly Endpoint[] = [
  masterchainInfo,
  masterchainBlockShardState,
  masterchainBlockShards,
  blocks,
  transactions,
  transactionsByMasterchainBlock,
  transactionsByMessage,
  adjacentTransactions,
  pendingTransactions,
  messages,
  addressBookRoute,
  accountStates,
  topAccountsByBalance,
  pendingTraces,
  addressInformation,
  { ...addressInformation, path: '/account' },
  walletInformation,
  { ...walletInformation, path: '/wallet' },
];

/** The routes that are posted to. */
export const POST_ENDPOINTS: readonly PostEndpoint[] = [message, estimateFee, runGetMethod];
