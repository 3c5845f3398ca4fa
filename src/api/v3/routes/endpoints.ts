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
import { decode, decodePosted } from './decode.ts';
import { dnsActiveAuctions } from './dns-active-auctions.ts';
import { dnsRecords } from './dns-records.ts';
import { estimateFee } from './estimate-fee.ts';
import { integrity } from './integrity.ts';
import { jettonBurns } from './jetton-burns.ts';
import { jettonMasters } from './jetton-masters.ts';
import { jettonTransfers } from './jetton-transfers.ts';
import { jettonWallets } from './jetton-wallets.ts';
import { masterchainBlockShardState } from './masterchain-block-shard-state.ts';
import { masterchainBlockShards } from './masterchain-block-shards.ts';
import { masterchainInfo } from './masterchain-info.ts';
import { message } from './message.ts';
import { messages } from './messages.ts';
import { metadataRoute } from './metadata.ts';
import { multisigOrders } from './multisig-orders.ts';
import { multisigWallets } from './multisig-wallets.ts';
import { nftCollections } from './nft-collections.ts';
import { nftItems } from './nft-items.ts';
import { nftSales } from './nft-sales.ts';
import { nftTransfers } from './nft-transfers.ts';
import {
  nominatorEvents,
  nominatorRewards,
  poolValidatorEvents,
  poolValidatorRewards,
} from './nominator-pool-history.ts';
import { nominatorOfPools, nominatorPool } from './nominator-pools.ts';
import { pendingActions } from './pending-actions.ts';
import { pendingTraces } from './pending-traces.ts';
import { pendingTransactions } from './pending-transactions.ts';
import { runGetMethod } from './run-get-method.ts';
import { topAccountsByBalance } from './top-accounts-by-balance.ts';
import { events, traces } from './traces.ts';
import { transactions } from './transactions.ts';
import { transactionsByMasterchainBlock } from './transactions-by-masterchain-block.ts';
import { transactionsByMessage } from './transactions-by-message.ts';
import { validatorComplaints } from './validator-complaints.ts';
import { validatorCycles } from './validator-cycles.ts';
import { validatorElections } from './validator-elections.ts';
import { validatorEvents } from './validator-events.ts';
import { vesting } from './vesting.ts';
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
