import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { readCell } from '../../ton/cell/cells-of-bag.ts';
import { fromBase64 } from '../../ton/hash/base64.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import { stateInitHash } from '../../ton/store/store-state-init.ts';
import type { KeyPair } from './key-pair.ts';
import { WALLET_CODES, type WalletVersion } from './wallet-codes.ts';

/** A wallet contract with its key. */
export interface Wallet {
  readonly name: string;
  readonly version: WalletVersion;
  readonly key: KeyPair;
  readonly walletId: number;
  readonly address: AccountAddress;
  readonly code: Cell;
  readonly data: Cell;
}

/** The default number that distinguishes several wallets of one key. */
const DEFAULT_WALLET_ID = 698_983_191;

/** A wallet of the basechain, as the published client would make it. */
export function makeWallet(name: string, version: WalletVersion, key: KeyPair, globalId: number): Wallet {
  const walletId = version === 'v5r1' ? v5WalletId(globalId) : DEFAULT_WALLET_ID;
  const code = readCell(fromBase64(WALLET_CODES[version])!);
  const data = walletData(version, walletId, key.publicKey);
  const address = { workchain: 0, address: stateInitHash(code, data) };
  return { name, version, key, walletId, address, code, data };
}

function walletData(version: WalletVersion, walletId: number, publicKey: Uint8Array): Cell {
  const builder = new CellBuilder();
  // v5: the flag for signatures comes first.
  if (version === 'v5r1') builder.bit(true);
  builder
    .uint(0, 32)
    .int(walletId | 0, 32)
    .bytes(publicKey);
  // v4 and v5: an empty dictionary of plugins or extensions.
  if (version === 'v4r2' || version === 'v5r1') builder.bit(false);
  return builder.cell();
}

/** The network's id, XOR a context of `1`, workchain 0 (8 bits), version 0 (8 bits), subwallet 0 (15 bits). */
function v5WalletId(globalId: number): number {
  return globalId ^ 0x80000000;
}
