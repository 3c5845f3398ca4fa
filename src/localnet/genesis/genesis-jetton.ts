import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { readCell } from '../../ton/cell/cells-of-bag.ts';
import { fromBase64 } from '../../ton/hash/base64.ts';
import { type AccountAddress, storeAddress } from '../../ton/store/store-address.ts';
import { stateInitHash } from '../../ton/store/store-state-init.ts';
import { JETTON_MINTER_CODE } from '../contracts/codes/jetton-minter-code.ts';
import { JETTON_WALLET_CODE } from '../contracts/codes/jetton-wallet-code.ts';
import type { GenesisContract, NewContract } from './genesis-account.ts';
import { type Attributes, tokenContent } from './token-content.ts';

/** Jettons that an owner begins with, in the smallest unit. */
export interface JettonHolding {
  readonly owner: AccountAddress;
  readonly amount: bigint;
}

export interface GenesisJetton {
  readonly minter: GenesisContract;
  /** In the order of the holdings. */
  readonly wallets: readonly GenesisContract[];
}

const TON = 1_000_000_000n;
const CONTENT = {
  name: 'Localnet Coin',
  symbol: 'LOCAL',
  decimals: '9',
  description: 'A jetton of the local chain: worth nothing, and there is plenty.',
};

/** A jetton whose supply is what the holdings come to; the admin may mint more. */
export function genesisJetton(admin: AccountAddress, holdings: readonly JettonHolding[]): GenesisJetton {
  // As if it had been deployed empty, so that its address follows from its code.
  const { address, code } = newMinter(admin, CONTENT);
  const supply = holdings.reduce((sum, { amount }) => sum + amount, 0n);
  return {
    minter: { address, code, data: minterData(admin, CONTENT, supply), balance: TON },
    wallets: holdings.map((holding) => jettonWallet(address, holding)),
  };
}

/** The minter of a jetton without supply, which is not deployed yet. `minterCode`: base64, with the data of a jetton's minter. */
export function newMinter(
  admin: AccountAddress,
  content: Attributes,
  minterCode: string = JETTON_MINTER_CODE,
): NewContract {
  const code = readCell(fromBase64(minterCode)!);
  const data = minterData(admin, content, 0n);
  return { address: { workchain: 0, address: stateInitHash(code, data) }, code, data };
}

function minterData(admin: AccountAddress, content: Attributes, supply: bigint): Cell {
  const builder = new CellBuilder().coins(supply).with(storeAddress, admin).ref(tokenContent(content));
  return builder.ref(readCell(fromBase64(JETTON_WALLET_CODE)!)).cell();
}

/** Jetton wallet of an owner. */
export function jettonWalletAddress(minter: AccountAddress, owner: AccountAddress): AccountAddress {
  return jettonWallet(minter, { owner, amount: 0n }).address;
}

function jettonWallet(minter: AccountAddress, { owner, amount }: JettonHolding): GenesisContract {
  const code = readCell(fromBase64(JETTON_WALLET_CODE)!);
  const data = (balance: bigint) =>
    new CellBuilder().coins(balance).with(storeAddress, owner).with(storeAddress, minter).ref(code).cell();
  const address = { workchain: 0, address: stateInitHash(code, data(0n)) };
  return { address, code, data: data(amount), balance: TON };
}
