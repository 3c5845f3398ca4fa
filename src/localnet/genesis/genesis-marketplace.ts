import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { type AccountAddress, storeAddress } from '../../ton/store/store-address.ts';
import { MARKETPLACE_CODE } from '../contracts/codes/marketplace-code.ts';
import type { GenesisContract } from './genesis-account.ts';
import { codeCell, contractAt } from './genesis-code.ts';

const TON = 1_000_000_000n;

/** The marketplace, which deploys a sale or an auction for each item that it gets. */
export function genesisMarketplace(owner: AccountAddress): GenesisContract {
  return contractAt(codeCell(MARKETPLACE_CODE), new CellBuilder().with(storeAddress, owner).cell(), TON);
}
