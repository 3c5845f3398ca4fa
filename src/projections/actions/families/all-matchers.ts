import type { Context } from '../match/context.ts';
import { inOrder, type Matcher } from '../match/matcher.ts';
import { auctionBids } from './auction-bids.ts';
import { cocoon } from './cocoon.ts';
import { coffeeLiquidity } from './coffee-liquidity.ts';
import { coffeePools } from './coffee-pools.ts';
import { coffeeStaking } from './coffee-staking.ts';
import { coffeeSwap } from './coffee-swap.ts';
import { dedustDeposits } from './dedust-deposit.ts';
import { joinDedustDeposits } from './dedust-joining.ts';
import { dedustSwap } from './dedust-swap.ts';
import { dedustV2Deposits } from './dedust-v2-deposit.ts';
import { joinDedustV2Deposits } from './dedust-v2-joining.ts';
import { dedustV2Swap } from './dedust-v2-swap.ts';
import { dedustV2Withdraw } from './dedust-v2-withdraw.ts';
import { dedustWithdraw } from './dedust-withdraw.ts';
import { dns } from './dns.ts';
import { elections } from './elections.ts';
import { ethena } from './ethena.ts';
import { evaaLiquidate } from './evaa-liquidate.ts';
import { evaaSupply } from './evaa-supply.ts';
import { evaaWithdraw } from './evaa-withdraw.ts';
import { fragment } from './fragment.ts';
import { jettonSupply } from './jetton-supply.ts';
import { jettonTransfers } from './jetton-transfer.ts';
import { jvault } from './jvault.ts';
import { layerzero } from './layerzero.ts';
import { liquidStaking } from './liquid-staking.ts';
import { multisig } from './multisig.ts';
import { nftClosing } from './nft-closing.ts';
import { nftListing } from './nft-listing.ts';
import { nftPurchases } from './nft-purchase.ts';
import { nftSingle } from './nft-single.ts';
import { nftTransfers } from './nft-transfer.ts';
import { nominators } from './nominators.ts';
import { stonfi } from './stonfi.ts';
import { stonfiV2 } from './stonfi-v2.ts';
import { stonfiV2Liquidity } from './stonfi-v2-liquidity.ts';
import { subscriptions } from './subscriptions.ts';
import { tgbtc } from './tgbtc.ts';
import { tonco } from './tonco.ts';
import { toncoPools } from './tonco-pools.ts';
import { vesting } from './vesting.ts';

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
