import { openBag } from '../../ton/boc/open-bag.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import { storeJettonBurn } from '../../ton/messages/jetton-burn.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import { jettonWalletAddress } from '../genesis/genesis-jetton.ts';
import { newStakePool } from '../genesis/new-stake-pool.ts';
import { toOwnWallet } from './jetton-kinds.ts';
import type { TrafficAct, TrafficKind, TrafficScene } from './traffic-kind.ts';

const TON = 1_000_000_000n;
/** The pool takes this from a deposit, for gas and forwarding. */
const DEPOSIT_FEE = TON;
const BURN_COST = TON / 5n;
/** Of a wallet's tokens, a withdrawal burns one in so many: withdrawals that overlap do not fail. */
const SHARES = 4n;
const TOKENS = {
  name: 'Staked TON of traffic',
  symbol: 'stTON',
  decimals: '9',
  description: 'Tokens of a liquid staking pool.',
};

/** Deposits into a liquid staking pool, and withdrawals. The first deposit deploys the pool. */
export function stakeKinds(): TrafficKind[] {
  const { pool, minter } = newStakePool(TOKENS);
  const { address: to, ...stateInit } = pool;
  const queryId = ({ chance }: TrafficScene) => BigInt(chance.below(2 ** 32));
  const deposit = (scene: TrafficScene): TrafficAct => {
    // deposit#47d54391 query_id:uint64
    const body = new CellBuilder().uint(0x47d54391, 32).u64(queryId(scene)).cell();
    const value = DEPOSIT_FEE + TON + BigInt(scene.chance.below(2_000_000_000));
    return { from: scene.from, transfers: [{ to, value, bounce: true, body, stateInit }] };
  };
  const withdraw = (scene: TrafficScene): TrafficAct | null => {
    const { address } = scene.from;
    const tokens = readBalance(scene, jettonWalletAddress(minter, address));
    if (tokens < SHARES) return null;
    const burn = { queryId: queryId(scene), amount: tokens / SHARES, responseDestination: address };
    return toOwnWallet(minter, scene, new CellBuilder().with(storeJettonBurn, burn), BURN_COST);
  };
  return [
    { name: 'stake deposit', weight: 3, transactions: 6, make: deposit },
    { name: 'stake withdrawal', weight: 2, transactions: 5, make: withdraw },
  ];
}

/** balance:Coins … (jetton-wallet.tolk); 0 if there is no wallet. */
function readBalance({ account }: TrafficScene, wallet: AccountAddress): bigint {
  const data = account(wallet)?.account.refs[1];
  return data ? openBag(writeBag(data, { index: false })).coins() : 0n;
}
