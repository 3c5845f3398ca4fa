import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { type AccountAddress, storeAddress } from '../../ton/store/store-address.ts';
import { SINGLE_NOMINATOR_CODE } from '../contracts/codes/single-nominator-code.ts';
import type { GenesisContract } from './genesis-account.ts';
import { codeCell, contractAt } from './genesis-code.ts';

const TON = 1_000_000_000n;

/** A pool of one nominator, in the masterchain. */
export function genesisPool(owner: AccountAddress, validator: AccountAddress): GenesisContract {
  const data = new CellBuilder().with(storeAddress, owner).with(storeAddress, validator).cell();
  return contractAt(codeCell(SINGLE_NOMINATOR_CODE), data, 10_000n * TON, { workchain: -1 });
}
