import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { type AccountAddress, storeAddress } from '../../ton/store/store-address.ts';
import { SBT_CODE } from '../contracts/codes/sbt-code.ts';
import type { GenesisContract } from './genesis-account.ts';
import { codeCell, contractAt } from './genesis-code.ts';
import { tokenContent } from './token-content.ts';

const TON = 1_000_000_000n;
const CONTENT = { name: 'Localnet Badge', description: 'Was there in the first block.' };

/** A badge that stays with its owner; the authority may revoke it. */
export function genesisSbt(owner: AccountAddress, authority: AccountAddress): GenesisContract {
  const data = new CellBuilder()
    .u64(0n)
    .with(storeAddress, owner)
    .with(storeAddress, authority)
    .ref(tokenContent(CONTENT))
    .u64(0n)
    .cell();
  return contractAt(codeCell(SBT_CODE), data, TON / 10n);
}
