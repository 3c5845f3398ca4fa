import type { Context } from '../match/context.ts';
import { inOrder, type Matcher } from '../match/matcher.ts';
import { layerzero } from './bridges/layerzero.ts';
import { tgbtc } from './bridges/tgbtc.ts';
import { coffeeLiquidity } from './dex/coffee-liquidity.ts';
import { coffeePools } from './dex/coffee-pools.ts';
import { coffeeSwap } from './dex/coffee-swap.ts';
import { dedustDeposits } from './dex/dedust-deposit.ts';
import { joinDedustDeposits } from './dex/dedust-joining.ts';
import { dedustSwap } from './dex/dedust-swap.ts';
import { dedustV2Deposits } from './dex/dedust-v2-deposit.ts';
import { joinDedustV2Deposits } from './dex/dedust-v2-joining.ts';
import { dedustV2Swap } from './dex/dedust-v2-swap.ts';
import { dedustV2Withdraw } from './dex/dedust-v2-withdraw.ts';
import { dedustWithdraw } from './dex/dedust-withdraw.ts';
import { stonfi } from './dex/stonfi.ts';
import { stonfiV2 } from './dex/stonfi-v2.ts';
import { stonfiV2Liquidity } from './dex/stonfi-v2-liquidity.ts';
import { tonco } from './dex/tonco.ts';
import { toncoPools } from './dex/tonco-pools.ts';
import { jettonSupply } from './jetton/jetton-supply.ts';
import { jettonTransfers } from './jetton/jetton-transfer.ts';
import { evaaLiquidate } from './lending/evaa-liquidate.ts';
import { evaaSupply } from './lending/evaa-supply.ts';
import { evaaWithdraw } from './lending/evaa-withdraw.ts';
import { dns } from './names/dns.ts';
import { auctionBids } from './nft/auction-bids.ts';
import { fragment } from './nft/fragment.ts';
import { nftClosing } from './nft/nft-closing.ts';
import { nftListing } from './nft/nft-listing.ts';
import { nftPurchases } from './nft/nft-purchase.ts';
import { nftSingle } from './nft/nft-single.ts';
import { nftTransfers } from './nft/nft-transfer.ts';
import { cocoon } from './services/cocoon.ts';
import { subscriptions } from './services/subscriptions.ts';
import { coffeeStaking } from './staking/coffee-staking.ts';
import { elections } from './staking/elections.ts';
import { ethena } from './staking/ethena.ts';
import { jvault } from './staking/jvault.ts';
import { liquidStaking } from './staking/liquid-staking.ts';
import { nominators } from './staking/nominators.ts';
import { multisig } from './wallets/multisig.ts';
import { vesting } from './wallets/vesting.ts';

/** Every family's matchers: the one list that a new family is added to. Each matcher names those that come first. */
const FAMILIES: readonly (readonly Matcher[])[] = [
  nftSingle,
  dedustDeposits,
  liquidStaking,
  multisig,
  vesting,
  nominators,
  jettonTransfers,
  dedustWithdraw,
  jettonSupply,
  dedustSwap,
  dedustV2Swap,
  dedustV2Withdraw,
  dedustV2Deposits,
  stonfi,
  stonfiV2,
  tonco,
  dns,
  nftTransfers,
  fragment,
  nftPurchases,
  nftListing,
  elections,
  subscriptions,
  auctionBids,
  nftClosing,
  ethena,
  stonfiV2Liquidity,
  jvault,
  evaaSupply,
  evaaWithdraw,
  evaaLiquidate,
  tgbtc,
  toncoPools,
  coffeeLiquidity,
  coffeeSwap,
  coffeePools,
  coffeeStaking,
  layerzero,
  cocoon,
];

/** Every matcher, in the order in which they run. */
export const ALL_MATCHERS: readonly Matcher[] = inOrder(FAMILIES.flat());

/** Steps over the blocks of a trace when every matcher has run. */
export const AFTERWARDS: readonly ((context: Context) => void)[] = [joinDedustDeposits, joinDedustV2Deposits];
