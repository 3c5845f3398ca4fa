/** Jettons and NFT items under codes that no table knows, on a local chain that makes a block only on request. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActionAnswer } from '../../src/api/v3/schemas/action.ts';
import { genesisWallets } from '../../src/localnet/genesis/genesis-wallets.ts';
import { LOCALNET_GLOBAL_ID } from '../../src/localnet/localnet-source.ts';
import { type Transfer, walletMessage } from '../../src/localnet/wallets/transfer.ts';
import { formatRaw } from '../../src/ton/address/address.ts';
import { writeBag } from '../../src/ton/cell/write-bag.ts';
import type { AccountAddress } from '../../src/ton/store/store-address.ts';
import { feeWalletCode, REFUSED, sparingWalletCode, strictItemCode } from '../helpers/changed-contracts.ts';
import { CustomJetton, CustomNfts, type Handover } from '../helpers/custom-tokens.ts';
import { headOf, type LocalApi, openLocalApi } from '../helpers/local-api.ts';

const owner = genesisWallets('localnet', LOCALNET_GLOBAL_ID).wallets.find(
  ({ version }) => version === 'v4r2',
)!;
const raw = ({ workchain, address }: AccountAddress) => formatRaw(workchain, address);
const account = (byte: number): AccountAddress => ({ workchain: 0, address: new Uint8Array(32).fill(byte) });

describe('tokens under unknown codes', { timeout: 600_000 }, () => {
  let api: LocalApi;
  let seqno = 0;
  let fee: CustomJetton;
  let sparing: CustomJetton;
  let nfts: CustomNfts;

  beforeAll(async () => {
    api = await openLocalApi({ fast: false, blockMs: 3_600_000 });
    const [feeWallet, sparingWallet, item] = await Promise.all([
      feeWalletCode(),
      sparingWalletCode(),
      strictItemCode(),
    ]);
    fee = new CustomJetton(owner.address, feeWallet);
    sparing = new CustomJetton(owner.address, sparingWallet);
    nfts = new CustomNfts(owner.address, item);
    await mine(2);
    await send(fee.mint(100_000n), sparing.mint(100_000n), nfts.mint());
    await mine(8);
  }, 600_000);
  afterAll(async () => {
    await api?.close();
    expect(api?.logged).toEqual([]);
  });

  /** Makes blocks; resolves when answers contain them. */
  async function mine(steps: number): Promise<void> {
    const last = await api.control.mine(steps);
    const isServed = () => {
      const { contracts, actions } = api.context.vector();
      const isThere = (view: typeof contracts) => view.state === 'served' && view.visible.last >= last;
      return headOf(api.context) >= last && isThere(contracts) && isThere(actions);
    };
    while (!isServed()) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  async function post(path: string, body: object): Promise<Record<string, unknown>> {
    const reply = await fetch(`${api.url}/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const json = (await reply.json()) as Record<string, unknown>;
    expect([reply.status, json.error]).toEqual([200, undefined]);
    return json;
  }

  const message = (...transfers: readonly Transfer[]): string => {
    const validUntil = Math.floor(Date.now() / 1000) + 3_600;
    return writeBag(walletMessage(owner, transfers, { seqno, validUntil })).toBase64();
  };
  /** Sends a message that waits for the next block. */
  async function send(...transfers: readonly Transfer[]): Promise<string> {
    const { message_hash } = await post('v3/message', { boc: message(...transfers) });
    seqno++;
    return message_hash as string;
  }

  const jettonCases = () =>
    [
      { what: 'receiver keeps 10 %', jetton: fee, requested: 1_000n, credited: 900n, success: true },
      { what: 'sender keeps 10 %', jetton: sparing, requested: 1_000n, credited: 900n, success: true },
      { what: 'receiver refuses', jetton: fee, requested: REFUSED, credited: REFUSED, success: false },
      { what: 'sender refuses', jetton: sparing, requested: REFUSED, credited: REFUSED, success: false },
    ] as const;

  /** Expected action of a transfer of jettons to a new account. */
  function jettonAction(
    { jetton, credited, success }: ReturnType<typeof jettonCases>[number],
    to: AccountAddress,
  ) {
    const isSent = success || jetton === fee;
    return {
      type: 'jetton_transfer',
      success,
      details: {
        asset: raw(jetton.minter.address),
        sender: raw(owner.address),
        receiver: raw(to),
        sender_jetton_wallet: raw(jetton.walletOf(owner.address)),
        receiver_jetton_wallet: isSent ? raw(jetton.walletOf(to)) : null,
        amount: `${credited}`,
      },
    };
  }
  const nftAction = ({ to }: Handover, success: boolean) => ({
    type: 'nft_transfer',
    success,
    details: {
      nft_collection: raw(nfts.collection.address),
      nft_item: raw(nfts.item),
      old_owner: raw(owner.address),
      new_owner: raw(to),
    },
  });
  const find = (actions: unknown, type: string) =>
    (actions as ActionAnswer[]).find((one) => one.type === type);

  it('are recognised in emulations before they are detected', async () => {
    const emulate = async (transfer: Transfer) =>
      (await post('emulate/v1/emulateTrace', { boc: message(transfer), with_actions: true })).actions;
    for (const [place, one] of jettonCases().entries()) {
      const to = account(0x60 + place);
      const found = find(await emulate(one.jetton.transfer(one.requested, { to })), 'jetton_transfer');
      expect(found, one.what).toMatchObject(jettonAction(one, to));
    }
    for (const [queryId, success] of [
      [7n, true],
      [REFUSED, false],
    ] as const) {
      const handover = { to: account(0x70), queryId };
      const found = find(await emulate(nfts.transfer(handover)), 'nft_transfer');
      expect(found).toMatchObject(nftAction(handover, success));
    }
  });

  it('are recognised in pending actions before they are detected', async () => {
    const to = account(0x61);
    const [one] = jettonCases();
    const hash = await send(fee.transfer(one.requested, { to }), nfts.transfer({ to, queryId: REFUSED }));
    const reply = await fetch(`${api.url}/api/v3/pendingActions?ext_msg_hash=${encodeURIComponent(hash)}`);
    const { actions } = (await reply.json()) as { actions: ActionAnswer[] };
    expect(find(actions, 'jetton_transfer')).toMatchObject(jettonAction(one, to));
    expect(find(actions, 'nft_transfer')).toMatchObject(nftAction({ to }, false));
    await mine(8);
  });
});
