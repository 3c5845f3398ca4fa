import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import { stateInitHash } from '../../ton/store/store-state-init.ts';
import { JETTON_WALLET_CODE } from '../contracts/codes/jetton-wallet-code.ts';
import { STAKE_MINTER_CODE } from '../contracts/codes/stake-minter-code.ts';
import { STAKE_POOL_CODE } from '../contracts/codes/stake-pool-code.ts';
import type { NewContract } from './genesis-account.ts';
import { codeCell } from './genesis-code.ts';
import { newMinter } from './genesis-jetton.ts';
import { type Attributes, tokenContent } from './token-content.ts';

/** A liquid staking pool that is not deployed yet. */
export interface NewStakePool {
  readonly pool: NewContract;
  /** Of its tokens; the first deposit deploys it. */
  readonly minter: AccountAddress;
}

/** Makes a pool. `content` describes its tokens. */
export function newStakePool(content: Attributes): NewStakePool {
  const code = codeCell(STAKE_POOL_CODE);
  const data = new CellBuilder().ref(tokenContent(content)).ref(codeCell(STAKE_MINTER_CODE));
  const pool = data.ref(codeCell(JETTON_WALLET_CODE)).cell();
  const address = { workchain: 0, address: stateInitHash(code, pool) };
  return {
    pool: { address, code, data: pool },
    minter: newMinter(address, content, STAKE_MINTER_CODE).address,
  };
}
