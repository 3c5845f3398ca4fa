import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { type AccountAddress, storeAddress } from '../../ton/store/store-address.ts';
import { VESTING_CODE } from '../contracts/codes/vesting-code.ts';
import type { GenesisContract } from './genesis-account.ts';
import { codeCell, contractAt } from './genesis-code.ts';

const TON = 1_000_000_000n;
const DAY = 86_400;
const TOTAL = 1_000n * TON;
/** A cliff of a week, then a thirtieth a day: reachable by `tonhouse localnet warp`. */
const SCHEDULE = { duration: 30 * DAY, unlockPeriod: DAY, cliff: 7 * DAY };

/** Coins that vest to the owner from the start of the chain; `sender` sets where they may go before that. */
export function genesisVesting(
  owner: AccountAddress,
  sender: AccountAddress,
  start: number,
): GenesisContract {
  const { duration, unlockPeriod, cliff } = SCHEDULE;
  const schedule = new CellBuilder().u64(BigInt(start)).uint(duration, 32).uint(unlockPeriod, 32);
  schedule.uint(cliff, 32).coins(TOTAL).with(storeAddress, sender).with(storeAddress, owner);
  return contractAt(
    codeCell(VESTING_CODE),
    new CellBuilder().ref(schedule.cell()).bit(false).cell(),
    TOTAL + TON,
  );
}
