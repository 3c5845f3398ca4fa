import { JETTON_MINTER_CODE } from '../../src/localnet/contracts/codes/jetton-minter-code.ts';
import { JETTON_WALLET_CODE } from '../../src/localnet/contracts/codes/jetton-wallet-code.ts';
import { NFT_COLLECTION_CODE } from '../../src/localnet/contracts/codes/nft-collection-code.ts';
import { tokenContent } from '../../src/localnet/genesis/token-content.ts';
import type { Transfer } from '../../src/localnet/wallets/transfer.ts';
import type { Cell } from '../../src/ton/cell/cell.ts';
import { CellBuilder, cellWith } from '../../src/ton/cell/cell-builder.ts';
import { readCell } from '../../src/ton/cell/cells-of-bag.ts';
import { storeJettonBurn } from '../../src/ton/messages/jetton-burn.ts';
import { storeJettonMint } from '../../src/ton/messages/jetton-mint.ts';
import { type AccountAddress, storeAddress } from '../../src/ton/store/store-address.ts';
import { stateInitHash } from '../../src/ton/store/store-state-init.ts';

const TON = 1_000_000_000n;
export const compiled = (code: string): Cell => readCell(Uint8Array.fromBase64(code));

interface Deployment {
  readonly address: AccountAddress;
  readonly stateInit: { readonly code: Cell; readonly data: Cell };
}

/** A contract by its first state. */
export function deployment(code: Cell, data: Cell): Deployment {
  return { address: { workchain: 0, address: stateInitHash(code, data) }, stateInit: { code, data } };
}

/** Codes of a jetton, by default the local chain's, and its content. */
interface JettonCodes {
  readonly walletCode?: Cell;
  readonly minterCode?: Cell;
  readonly content?: Cell;
}

/** Content off the chain: offchain#01 and the link. */
export function linkedContent(link: string): Cell {
  return new CellBuilder().uint(1, 8).bytes(new TextEncoder().encode(link)).cell();
}

/** Where jettons or an item go, with what travels along. */
export interface Handover {
  readonly to: AccountAddress;
  readonly queryId?: bigint;
  /** Nanotons of the notification. Default 1. */
  readonly forward?: bigint;
}

/** A jetton of the local chain whose wallets, or whose master, have another code. */
export class CustomJetton {
  readonly minter: Deployment;
  readonly #walletCode: Cell;
  readonly #admin: AccountAddress;

  constructor(
    admin: AccountAddress,
    {
      walletCode = compiled(JETTON_WALLET_CODE),
      minterCode = compiled(JETTON_MINTER_CODE),
      content = tokenContent({ name: 'Custom' }),
    }: JettonCodes,
  ) {
    this.#admin = admin;
    this.#walletCode = walletCode;
    const data = new CellBuilder().coins(0n).with(storeAddress, admin).ref(content);
    this.minter = deployment(minterCode, data.ref(walletCode).cell());
  }

  walletOf(owner: AccountAddress): AccountAddress {
    const data = new CellBuilder().coins(0n).with(storeAddress, owner);
    const minter = this.minter.address;
    return deployment(this.#walletCode, data.with(storeAddress, minter).ref(this.#walletCode).cell()).address;
  }

  /** Deploys the minter, which mints for its admin. */
  mint(amount: bigint): Transfer {
    const { address: to, stateInit } = this.minter;
    const body = cellWith(storeJettonMint, {
      ...{ queryId: 1n, receiver: this.#admin, responseAddress: this.#admin },
      ...{ tonAmount: TON / 5n, amount },
    });
    return { to, value: TON, bounce: true, stateInit, body };
  }

  /** Burns jettons of the admin. */
  burn(amount: bigint): Transfer {
    const body = cellWith(storeJettonBurn, { queryId: 9n, amount, responseDestination: this.#admin });
    return { to: this.walletOf(this.#admin), value: TON / 5n, bounce: true, body };
  }

  /** Moves jettons of the admin. */
  transfer(amount: bigint, { to, queryId = 7n, forward = 1n }: Handover): Transfer {
    const body = new CellBuilder().uint(0x0f8a7ea5, 32).u64(queryId).coins(amount).with(storeAddress, to);
    body.with(storeAddress, this.#admin).bit(false).coins(forward).bit(false);
    return { to: this.walletOf(this.#admin), value: TON / 5n, bounce: true, body: body.cell() };
  }
}

/** A collection of the local chain whose items have another code. */
export class CustomNfts {
  readonly collection: Deployment;
  readonly #itemCode: Cell;
  readonly #owner: AccountAddress;

  constructor(owner: AccountAddress, itemCode: Cell) {
    this.#owner = owner;
    this.#itemCode = itemCode;
    const royalty = new CellBuilder().uint(5, 16).uint(100, 16).with(storeAddress, owner).cell();
    const data = new CellBuilder()
      .with(storeAddress, owner)
      .u64(0n)
      .ref(tokenContent({ name: 'Custom' }));
    this.collection = deployment(compiled(NFT_COLLECTION_CODE), data.ref(itemCode).ref(royalty).cell());
  }

  get item(): AccountAddress {
    const data = new CellBuilder().u64(0n).with(storeAddress, this.collection.address).cell();
    return deployment(this.#itemCode, data).address;
  }

  /** Deploys the collection, which mints item 0 for its owner. */
  mint(): Transfer {
    const { address: to, stateInit } = this.collection;
    const item = new CellBuilder()
      .with(storeAddress, this.#owner)
      .ref(tokenContent({ name: 'Item' }))
      .cell();
    const body = new CellBuilder()
      .uint(1, 32)
      .u64(1n)
      .u64(0n)
      .coins(TON / 5n)
      .ref(item)
      .cell();
    return { to, value: TON, bounce: true, stateInit, body };
  }

  transfer({ to, queryId = 7n, forward = 1n }: Handover): Transfer {
    const body = new CellBuilder().uint(0x5fcc3d14, 32).u64(queryId).with(storeAddress, to);
    body.with(storeAddress, this.#owner).bit(false).coins(forward).bit(false);
    return { to: this.item, value: TON / 5n, bounce: true, body: body.cell() };
  }
}
