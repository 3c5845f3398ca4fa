import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { readCell } from '../../ton/cell/cells-of-bag.ts';
import { fromBase64 } from '../../ton/hash/base64.ts';
import { type AccountAddress, storeAddress } from '../../ton/store/store-address.ts';
import { stateInitHash } from '../../ton/store/store-state-init.ts';
import { DEX_PAIR_CODE } from '../contracts/dex-pair-code.ts';
import { JETTON_WALLET_CODE } from '../contracts/jetton-wallet-code.ts';
import type { GenesisContract } from './genesis-account.ts';

const TON = 1_000_000_000n;
/** In addition to its reserve, for storage. */
const OWN = TON;

/** Initial reserves of a pair, in nanotons and the jetton's smallest unit. */
export interface PairReserves {
  readonly ton: bigint;
  readonly jettons: bigint;
}

/** A pair of TON and a jetton. Its jettons are in the jetton wallet of its address, as of any owner. */
export function genesisPair(minter: AccountAddress, reserves: PairReserves): GenesisContract {
  const code = readCell(fromBase64(DEX_PAIR_CODE)!);
  const walletCode = readCell(fromBase64(JETTON_WALLET_CODE)!);
  const data = ({ ton, jettons }: PairReserves) =>
    new CellBuilder().coins(ton).coins(jettons).with(storeAddress, minter).ref(walletCode).cell();
  // As if it had been deployed empty, so that its address follows from its code.
  const address = { workchain: 0, address: stateInitHash(code, data({ ton: 0n, jettons: 0n })) };
  return { address, code, data: data(reserves), balance: reserves.ton + OWN };
}
