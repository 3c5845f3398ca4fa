import type { Endpoint } from '../endpoint.ts';
import type { PostEndpoint } from '../post-endpoint.ts';
import { accountActivity } from './account-activity.ts';
import { accountStates } from './account-states.ts';
import { actions } from './actions.ts';
import { addressBookRoute } from './address-book.ts';
import { addressInformation, walletInformation } from './address-information.ts';
import { adjacentTransactions } from './adjacent-transactions.ts';
import { balanceChanges } from './balance-changes.ts';
import { blocks } from './blocks.ts';
import { multisigOrders } from './custody/multisig-orders.ts';
import { multisigWallets } from './custody/multisig-wallets.ts';
import { vesting } from './custody/vesting.ts';
import { decode, decodePosted } from './decode.ts';
import { estimateFee } from './estimate-fee.ts';
import { integrity } from './integrity.ts';
import { masterchainBlockShardState } from './masterchain-block-shard-state.ts';
import { masterchainBlockShards } from './masterchain-block-shards.ts';
import { masterchainInfo } from './masterchain-info.ts';
import { message } from './message.ts';
import { messages } from './messages.ts';
import { metadataRoute } from './metadata.ts';
import { pendingActions } from './pending-actions.ts';
import { pendingTraces } from './pending-traces.ts';
import { pendingTransactions } from './pending-transactions.ts';
import { runGetMethod } from './run-get-method.ts';
import {
  nominatorEvents,
  nominatorRewards,
  poolValidatorEvents,
  poolValidatorRewards,
} from './staking/nominator-pool-history.ts';
import { nominatorOfPools, nominatorPool } from './staking/nominator-pools.ts';
import { validatorComplaints } from './staking/validator-complaints.ts';
import { validatorCycles } from './staking/validator-cycles.ts';
import { validatorElections } from './staking/validator-elections.ts';
import { validatorEvents } from './staking/validator-events.ts';
import { dnsActiveAuctions } from './tokens/dns-active-auctions.ts';
import { dnsRecords } from './tokens/dns-records.ts';
import { jettonBurns } from './tokens/jetton-burns.ts';
import { jettonMasters } from './tokens/jetton-masters.ts';
import { jettonTransfers } from './tokens/jetton-transfers.ts';
import { jettonWallets } from './tokens/jetton-wallets.ts';
import { nftCollections } from './tokens/nft-collections.ts';
import { nftItems } from './tokens/nft-items.ts';
import { nftSales } from './tokens/nft-sales.ts';
import { nftTransfers } from './tokens/nft-transfers.ts';
import { topAccountsByBalance } from './top-accounts-by-balance.ts';
import { events, traces } from './traces.ts';
import { transactions } from './transactions.ts';
import { transactionsByMasterchainBlock } from './transactions-by-masterchain-block.ts';
import { transactionsByMessage } from './transactions-by-message.ts';
import { walletStates } from './wallet-states.ts';

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
  metadataRoute,
  decode,
  accountStates,
  walletStates,
  accountActivity,
  topAccountsByBalance,
  traces,
  events,
  actions,
  pendingActions,
  balanceChanges,
  pendingTraces,
  jettonMasters,
  jettonWallets,
  jettonTransfers,
  jettonBurns,
  nftCollections,
  nftItems,
  nftTransfers,
  nftSales,
  dnsRecords,
  dnsActiveAuctions,
  multisigWallets,
  multisigOrders,
  vesting,
  nominatorPool,
  nominatorOfPools,
  nominatorEvents,
  nominatorRewards,
  poolValidatorEvents,
  poolValidatorRewards,
  validatorEvents,
  validatorElections,
  validatorCycles,
  validatorComplaints,
  addressInformation,
  { ...addressInformation, path: '/account' },
  walletInformation,
  { ...walletInformation, path: '/wallet' },
  integrity,
];

/** The routes that are posted to. */
export const POST_ENDPOINTS: readonly PostEndpoint[] = [message, estimateFee, runGetMethod, decodePosted];
