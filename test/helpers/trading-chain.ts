import type { ActionAnswer } from '../../src/api/v3/schemas/action.ts';
import { genesisTokens } from '../../src/localnet/genesis/genesis-contracts.ts';
import { genesisWallets } from '../../src/localnet/genesis/genesis-wallets.ts';
import type { AccountEntry } from '../../src/localnet/ledger/account-entry.ts';
import { LOCALNET_GLOBAL_ID } from '../../src/localnet/localnet-source.ts';
import type { TrafficAct } from '../../src/localnet/traffic/traffic-kind.ts';
import { walletMessage } from '../../src/localnet/wallets/transfer.ts';
import { walletSeqno } from '../../src/localnet/wallets/wallet-seqno.ts';
import { formatRaw } from '../../src/ton/address/address.ts';
import { readCell } from '../../src/ton/cell/cells-of-bag.ts';
import { writeBag } from '../../src/ton/cell/write-bag.ts';
import type { AccountAddress } from '../../src/ton/store/store-address.ts';
import { headOf, type LocalApi, openLocalApi } from './local-api.ts';

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

  /** An account as the newest block left it. */
  async entry(address: AccountAddress): Promise<AccountEntry | null> {
    const state = (await this.api.control.view(address, null))?.shardAccount;
    const account = state ? readCell(Uint8Array.fromBase64(state)).refs[0] : undefined;
    return account ? ({ account } as AccountEntry) : null;
  }

  /** Sends the messages of an act; returns its actions: predicted by emulation, and stored. */
  async act({ from, transfers }: TrafficAct) {
    const seqno = walletSeqno(from, await this.entry(from.address));
    const validUntil = Math.floor(Date.now() / 1000) + 10_000_000;
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
