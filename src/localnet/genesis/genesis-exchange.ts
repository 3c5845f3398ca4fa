import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { type AccountAddress, storeAddress } from '../../ton/store/store-address.ts';
import { DEX_JETTON_VAULT_CODE } from '../contracts/codes/dex-jetton-vault-code.ts';
import { DEX_NATIVE_VAULT_CODE } from '../contracts/codes/dex-native-vault-code.ts';
import { DEX_POOL_CODE } from '../contracts/codes/dex-pool-code.ts';
import { JETTON_WALLET_CODE } from '../contracts/codes/jetton-wallet-code.ts';
import type { GenesisContract } from './genesis-account.ts';
import { codeCell, contractAt } from './genesis-code.ts';

const TON = 1_000_000_000n;
/** In addition to its reserve, for storage. */
const OWN = 10n * TON;

/** Initial reserves of a pool, in nanotons and the jetton's smallest unit. */
export interface PoolReserves {
  readonly ton: bigint;
  readonly jettons: bigint;
}

/** An exchange of TON and a jetton in the wire format of DeDust: users send to a vault, which asks the pool. */
export interface GenesisExchange {
  readonly pool: GenesisContract;
  readonly nativeVault: GenesisContract;
  /** Its jettons are in the jetton wallet of its address, as of any owner. */
  readonly jettonVault: GenesisContract;
}

/**
 * Makes an exchange as if its contracts had been deployed empty: addresses follow from code, factory and jetton.
 * `factory`: the address that proofs name as the factory of pool and vaults.
 */
export function genesisExchange(
  factory: AccountAddress,
  minter: AccountAddress,
  reserves: PoolReserves,
): GenesisExchange {
  const poolCode = codeCell(DEX_POOL_CODE);
  const empty = poolData(factory, minter, { ton: 0n, jettons: 0n }).cell();
  const pool = contractAt(poolCode, empty, OWN);
  const vault = (code: string, terms: Cell, balance: bigint) => {
    const data = new CellBuilder().with(storeAddress, pool.address).append(terms).cell();
    return contractAt(codeCell(code), data, balance, { before: terms });
  };
  const native = new CellBuilder().with(storeAddress, factory);
  const jetton = new CellBuilder().with(storeAddress, factory).with(storeAddress, minter);
  const nativeVault = vault(DEX_NATIVE_VAULT_CODE, native.cell(), reserves.ton + OWN);
  const jettonVault = vault(DEX_JETTON_VAULT_CODE, jetton.ref(codeCell(JETTON_WALLET_CODE)).cell(), OWN);
  const vaults = new CellBuilder()
    .with(storeAddress, nativeVault.address)
    .with(storeAddress, jettonVault.address);
  const data = poolData(factory, minter, reserves).ref(vaults.cell()).cell();
  return { pool: { ...pool, data }, nativeVault, jettonVault };
}

/** Data of a pool before it knows its vaults (dex-pool.tolk). */
function poolData(factory: AccountAddress, minter: AccountAddress, { ton, jettons }: PoolReserves) {
  return new CellBuilder().coins(ton).coins(jettons).bytes(minter.address).with(storeAddress, factory);
}
