import { CellSlice } from '../../boc/cell-slice.ts';
import type { CompleteData, Member } from '../contract-state.ts';
import { readDictionary } from '../read-accounts.ts';
import { type CustodyState, NO_PARTIES, type PoolNominator, rawText } from './custody-state.ts';

/**
 * Pool of a validator and its nominators, v3-more.md 5.1 (`get_pool_data`). Nominators are in the basechain.
 *
 *     _ validator:bits256 reward_share:uint16 max_nominators:uint16 min_validator_stake:Coins min_nominator_stake:Coins
 *       = PoolConfig;
 *     _ amount:Coins pending:Coins = Nominator;
 *     _ state:uint8 nominators_count:uint16 stake_amount_sent:Coins validator_amount:Coins config:^PoolConfig
 *       nominators:(HashmapE 256 Nominator) … = PoolData;
 */
export function readNominatorPool({ boc, data }: CompleteData): CustodyState<'nominator_pool'> {
  const slice = new CellSlice(boc, data);
  const head = {
    state: slice.uint(8),
    nominators_count: slice.uint(16),
    stake_amount_sent: slice.coins().toString(),
    validator_amount: slice.coins().toString(),
  };
  const config = new CellSlice(boc, slice.ref());
  const members: Member[] = [];
  const nominators: PoolNominator[] = [];
  readDictionary(boc, slice.maybeRef(), 256, (address, value) => {
    const account = { workchain: 0, address };
    members.push({ role: 'nominator', account });
    const balance = value.coins().toString();
    nominators.push({ address: rawText(account), balance, pending_balance: value.coins().toString() });
  });
  return {
    ...NO_PARTIES,
    kind: 'nominator_pool',
    members,
    details: {
      ...head,
      validator_address: rawText({ workchain: -1, address: config.bytes(32) }),
      validator_reward_share: config.uint(16),
      max_nominators_count: config.uint(16),
      min_validator_stake: config.coins().toString(),
      min_nominator_stake: config.coins().toString(),
      nominators,
    },
  };
}
