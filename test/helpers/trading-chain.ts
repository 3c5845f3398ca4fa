import type { ActionAnswer } from '../../src/api/v3/schemas/action.ts';
import { genesisTokens } from '../../src/localnet/genesis/genesis-contracts.ts';
import { genesisWallets } from '../../src/localnet/genesis/genesis-wallets.ts';
import { LOCALNET_GLOBAL_ID } from '../../src/localnet/localnet-source.ts';
import { Chance } from '../../src/localnet/traffic/chance.ts';
import type { TrafficAct, TrafficScene } from '../../src/localnet/traffic/traffic-kind.ts';
import { trafficKinds } from '../../src/localnet/traffic/traffic-kinds.ts';
import { walletMessage } from '../../src/localnet/wallets/transfer.ts';
import type { Wallet } from '../../src/localnet/wallets/wallet.ts';
import { walletSeqno } from '../../src/localnet/wallets/wallet-seqno.ts';
import { formatRaw } from '../../src/ton/address/address.ts';
import { writeBag } from '../../src/ton/cell/write-bag.ts';
import type { AccountAddress } from '../../src/ton/store/store-address.ts';
import { headOf, type LocalApi, openLocalApi } from './local-api.ts';
import { trafficAccounts } from './traffic-accounts.ts';

/** More than the time that tests move the chain ahead. */
const VALID_SECONDS = 1_000_000;
/** Rounds after which an item is free again. */
const REST = 100;

const seed = 'localnet';
export const WALLETS = genesisWallets(seed, LOCALNET_GLOBAL_ID);
export const TOKENS = genesisTokens({
  seed,
  globalId: LOCALNET_GLOBAL_ID,
  faucet: WALLETS.faucet.address,
});

export const raw = ({ workchain, address }: AccountAddress) => formatRaw(workchain, address);

/** A local chain that makes blocks on demand, and acts whose actions are read through the API. */
export class TradingChain {
  readonly api: LocalApi;
  private readonly kinds = trafficKinds(TOKENS);
  private round = 0;

  private constructor(api: LocalApi) {
    this.api = api;
  }

  static async open(): Promise<TradingChain> {
    const chain = new TradingChain(await openLocalApi({ fast: false, blockMs: 3_600_000 }));
    await chain.mine(3);
    return chain;
  }

  /** Makes blocks, and waits until the API answers from them. */
  async mine(steps: number): Promise<void> {
    const seqno = await this.api.control.mine(steps);
    const isServed = () => {
      const { contracts, actions } = this.api.context.vector();
      const isThere = (view: typeof contracts) => view.state === 'served' && view.visible.last >= seqno;
      return headOf(this.api.context) >= seqno && isThere(contracts) && isThere(actions);
    };
    while (!isServed()) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  /** Makes a wallet do what a kind of traffic does; as `act`. */
  async traffic(name: string, from: Wallet, seed = name) {
    const { make } = this.kinds.find((kind) => kind.name === name)!;
    const account = await trafficAccounts(this.api.control, WALLETS.traffic, TOKENS);
    const { last } = await this.get<{ last: { gen_utime: string } }>('v3/masterchainInfo');
    this.round += REST;
    const scene = { chance: new Chance(seed), from, wallets: WALLETS.traffic, round: this.round, account };
    const utime = Number(last.gen_utime);
    let act = make({ ...scene, utime });
    // Few items may be what the kind is about: it looks at some of them, by chance.
    for (let looks = 1; act === null && looks < 1_000; looks++) act = make({ ...scene, utime });
    if (!act) throw new Error(`${name} cannot be done`);
    return { act, ...(await this.act(act, account)) };
  }

  /** Moves the time ahead. */
  async warp(seconds: number): Promise<void> {
    await this.api.control.warp(seconds);
    await this.mine(1);
  }

  /** Sends the messages of an act; returns its actions: predicted by emulation, and stored. */
  private async act({ from, transfers }: TrafficAct, account: TrafficScene['account']) {
    const seqno = walletSeqno(from, account(from.address));
    const validUntil = Math.floor(Date.now() / 1000) + VALID_SECONDS;
    const cell = walletMessage(from, transfers, { seqno, validUntil });
    const boc = Buffer.from(writeBag(cell)).toString('base64');
    const predicted = await this.post<{ actions: ActionAnswer[] }>('emulate/v1/emulateTrace', {
      boc,
      with_actions: true,
    });
    await this.post('v3/message', { boc });
    await this.mine(12);
    const hash = encodeURIComponent(Buffer.from(cell.hash()).toString('base64'));
    const { traces } = await this.get<{ traces: { actions: ActionAnswer[] }[] }>(
      `v3/traces?msg_hash=${hash}&include_actions=true`,
    );
    return { predicted: predicted.actions, stored: traces.flatMap(({ actions }) => actions) };
  }

  async get<T>(path: string): Promise<T> {
    return (await (await fetch(`${this.api.url}/api/${path}`)).json()) as T;
  }

  private async post<T>(path: string, body: object): Promise<T> {
    const reply = await fetch(`${this.api.url}/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const json = (await reply.json()) as T;
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${JSON.stringify(json)}`);
    return json;
  }
}
