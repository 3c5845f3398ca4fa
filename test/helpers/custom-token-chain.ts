import { expect } from 'vitest';
import type { ActionAnswer } from '../../src/api/v3/schemas/action.ts';
import { genesisWallets } from '../../src/localnet/genesis/genesis-wallets.ts';
import { LOCALNET_GLOBAL_ID } from '../../src/localnet/localnet-source.ts';
import { type Transfer, walletMessage } from '../../src/localnet/wallets/transfer.ts';
import { formatRaw } from '../../src/ton/address/address.ts';
import { writeBag } from '../../src/ton/cell/write-bag.ts';
import type { AccountAddress } from '../../src/ton/store/store-address.ts';
import {
  feeWalletCode,
  otherMinterCode,
  REFUSED,
  sparingWalletCode,
  strictItemCode,
} from './changed-contracts.ts';
import { CustomJetton, CustomNfts, type Handover, linkedContent } from './custom-tokens.ts';
import { headOf, type LocalApi, openLocalApi } from './local-api.ts';

const owner = genesisWallets('localnet', LOCALNET_GLOBAL_ID).wallets.find(
  ({ version }) => version === 'v4r2',
)!;
export const raw = ({ workchain, address }: AccountAddress) => formatRaw(workchain, address);

/** The account whose id is a repeated byte. */
export const account = (byte: number): AccountAddress => ({
  workchain: 0,
  address: new Uint8Array(32).fill(byte),
});

/** A transfer of jettons, and its outcome. */
export interface JettonCase {
  readonly what: string;
  readonly jetton: CustomJetton;
  readonly requested: bigint;
  readonly credited: bigint;
  readonly success: boolean;
  /** True if an internal transfer reaches the receiving wallet. */
  readonly isSent: boolean;
}

/** Link to the content of the jettons but the first. */
export const DOCUMENT = 'https://example.org/custom.json';

/** Projections that a test waits for. */
type Awaited = 'contracts' | 'actions';

/** A local chain that makes a block only on request, with jettons and an item under codes that no table knows. */
export class CustomTokenChain {
  readonly api: LocalApi;
  readonly nfts: CustomNfts;
  readonly jettonCases: readonly JettonCase[];
  readonly ownerAddress = owner.address;
  readonly owner = raw(owner.address);
  readonly #awaited: readonly Awaited[];
  #seqno = 0;

  private constructor(
    api: LocalApi,
    awaited: readonly Awaited[],
    [fee, sparing, minted, nfts]: [CustomJetton, CustomJetton, CustomJetton, CustomNfts],
  ) {
    this.api = api;
    this.nfts = nfts;
    this.#awaited = awaited;
    const sent = { jetton: fee, isSent: true };
    this.jettonCases = [
      { ...sent, what: 'receiver keeps 10 %', requested: 1_000n, credited: 900n, success: true },
      {
        ...sent,
        what: 'sender keeps 10 %',
        jetton: sparing,
        requested: 1_000n,
        credited: 900n,
        success: true,
      },
      {
        ...sent,
        what: 'only the master has another code',
        jetton: minted,
        requested: 1_000n,
        credited: 1_000n,
        success: true,
      },
      { ...sent, what: 'receiver refuses', requested: REFUSED, credited: REFUSED, success: false },
      {
        what: 'sender refuses',
        jetton: sparing,
        requested: REFUSED,
        credited: REFUSED,
        success: false,
        isSent: false,
      },
    ];
  }

  /** Starts the chain and deploys the tokens. `detects`: get methods run in the background. */
  static async open({
    awaited,
    detects = false,
  }: {
    readonly awaited: readonly Awaited[];
    readonly detects?: boolean;
  }) {
    const api = await openLocalApi({ detects, fast: false, blockMs: 3_600_000 });
    const [fee, sparing, minterCode, item] = await Promise.all([
      feeWalletCode(),
      sparingWalletCode(),
      otherMinterCode(),
      strictItemCode(),
    ]);
    const content = linkedContent(DOCUMENT);
    const codes = [{ walletCode: fee }, { walletCode: sparing, content }, { minterCode, content }];
    const jettons = codes.map((own) => new CustomJetton(owner.address, own));
    const nfts = new CustomNfts(owner.address, item);
    const chain = new CustomTokenChain(api, awaited, [jettons[0]!, jettons[1]!, jettons[2]!, nfts]);
    await chain.mine(2);
    await chain.send(...jettons.map((jetton) => jetton.mint(100_000n)), nfts.mint());
    await chain.mine(8);
    return chain;
  }

  /** Makes blocks; resolves when answers contain them. */
  async mine(steps: number): Promise<void> {
    const last = await this.api.control.mine(steps);
    const isServed = () => {
      const vector = this.api.context.vector();
      const views = this.#awaited.map((name) => vector[name]);
      const areThere = views.every((view) => view.state === 'served' && view.visible.last >= last);
      return headOf(this.api.context) >= last && areThere;
    };
    while (!isServed()) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  async post(path: string, body: object): Promise<Record<string, unknown>> {
    const reply = await fetch(`${this.api.url}/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const json = (await reply.json()) as Record<string, unknown>;
    expect([reply.status, json.error]).toEqual([200, undefined]);
    return json;
  }

  async get(path: string, query: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
    const reply = await fetch(`${this.api.url}/api/v3/${path}?${new URLSearchParams(query)}`);
    return (await reply.json()) as Record<string, unknown>;
  }

  /** The owner's next external message, in base64. */
  message(...transfers: readonly Transfer[]): string {
    const validUntil = Math.floor(Date.now() / 1000) + 3_600;
    return writeBag(walletMessage(owner, transfers, { seqno: this.#seqno, validUntil })).toBase64();
  }

  /** Sends a message that waits for the next block; resolves with its hash. */
  async send(...transfers: readonly Transfer[]): Promise<string> {
    const { message_hash } = await this.post('v3/message', { boc: this.message(...transfers) });
    this.#seqno++;
    return message_hash as string;
  }

  /** The expected action of a transfer of jettons to a new account. */
  jettonAction({ jetton, credited, success, isSent }: JettonCase, to: AccountAddress) {
    return {
      type: 'jetton_transfer',
      success,
      details: {
        asset: raw(jetton.minter.address),
        sender: this.owner,
        receiver: raw(to),
        sender_jetton_wallet: raw(jetton.walletOf(owner.address)),
        receiver_jetton_wallet: isSent ? raw(jetton.walletOf(to)) : null,
        amount: `${credited}`,
      },
    };
  }

  nftAction({ to }: Handover, success: boolean) {
    return {
      type: 'nft_transfer',
      success,
      details: {
        nft_collection: raw(this.nfts.collection.address),
        nft_item: raw(this.nfts.item),
        old_owner: this.owner,
        new_owner: raw(to),
      },
    };
  }
}

/** The first action of a type. */
export function findAction(actions: unknown, type: string): ActionAnswer | undefined {
  return (actions as readonly ActionAnswer[] | undefined)?.find((one) => one.type === type);
}
