import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { HIGHLOAD_WALLET_CODE } from '../contracts/codes/highload-wallet-code.ts';
import type { KeyPair } from '../wallets/key-pair.ts';
import type { GenesisContract } from './genesis-account.ts';
import { codeCell, contractAt } from './genesis-code.ts';

const TON = 1_000_000_000n;
/** Subwallet and timeout that clients of highload wallet v3 use. */
export const HIGHLOAD = { subwalletId: 0x10ad, timeout: 3_600 } as const;

/** A wallet for many messages at once. */
export function genesisHighload({ publicKey }: KeyPair): GenesisContract {
  const { subwalletId, timeout } = HIGHLOAD;
  const data = new CellBuilder().bytes(publicKey).uint(subwalletId, 32).bit(false).bit(false);
  return contractAt(codeCell(HIGHLOAD_WALLET_CODE), data.u64(0n).uint(timeout, 22).cell(), 100_000n * TON);
}
