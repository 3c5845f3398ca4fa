/** Balance changes of a jetton transfer on a local chain, against the states of its accounts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActionsAnswer } from '../../src/api/v3/schemas/action.ts';
import type { BalanceChangesAnswer } from '../../src/api/v3/schemas/balance-changes.ts';
import type { TraceAnswer } from '../../src/api/v3/schemas/trace.ts';
import type { TransactionAnswer } from '../../src/api/v3/schemas/transaction.ts';
import { genesisTokens } from '../../src/localnet/genesis/genesis-contracts.ts';
import { jettonWalletAddress } from '../../src/localnet/genesis/genesis-jetton.ts';
import { genesisWallets } from '../../src/localnet/genesis/genesis-wallets.ts';
import { LOCALNET_GLOBAL_ID } from '../../src/localnet/localnet-source.ts';
import { walletMessage } from '../../src/localnet/wallets/transfer.ts';
import { formatRaw } from '../../src/ton/address/address.ts';
import { CellBuilder } from '../../src/ton/cell/cell-builder.ts';
import { writeBag } from '../../src/ton/cell/write-bag.ts';
import { type AccountAddress, storeAddress } from '../../src/ton/store/store-address.ts';
import { type LocalApi, openLocalApi } from '../helpers/local-api.ts';

const { traffic, faucet } = genesisWallets('localnet', LOCALNET_GLOBAL_ID);
const { jetton } = genesisTokens({ seed: 'localnet', globalId: LOCALNET_GLOBAL_ID, faucet: faucet.address });
const master = jetton.minter.address;
const from = traffic.find(({ version }) => version === 'v4r2')!;
const owner = { workchain: 0, address: from.address.address.with(31, 42) };
const raw = ({ workchain, address }: AccountAddress) => formatRaw(workchain, address);

describe('balance changes on a local chain', { timeout: 600_000 }, () => {
  let api: LocalApi;
  beforeAll(async () => {
    api = await openLocalApi();
  }, 600_000);
  afterAll(async () => {
    await api?.close();
    expect(api?.logged).toEqual([]);
  });

  const get = async <T>(path: string) => {
    const reply = await fetch(`${api.url}/api/v3/${path}`);
    return { status: reply.status, json: (await reply.json()) as T };
  };

  /** Sends jettons; resolves with the whole trace. */
  async function sent(seqno: number, amount: bigint): Promise<TraceAnswer> {
    const body = new CellBuilder().uint(0x0f8a7ea5, 32).u64(9n).coins(amount).with(storeAddress, owner);
    body.with(storeAddress, from.address).bit(false).coins(1n).bit(false);
    const transfer = { to: jettonWalletAddress(master, from.address), value: 100_000_000n, bounce: true };
    const validUntil = Math.floor(Date.now() / 1000) + 3_600;
    const message = walletMessage(from, [{ ...transfer, body: body.cell() }], { seqno, validUntil });
    const reply = await fetch(`${api.url}/api/v3/message`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ boc: writeBag(message).toBase64() }),
    });
    expect(reply.status).toBe(200);
    for (;;) {
      const { json } = await get<{ traces: TraceAnswer[] }>(
        `traces?include_actions=1&msg_hash=${message.hash().toHex()}`,
      );
      const trace = json.traces?.[0];
      if (trace?.trace_info.trace_state === 'complete' && trace.trace_info.classification_state === 'ok')
        return trace;
      await new Promise((next) => setTimeout(next, 50));
    }
  }

  /** Actions of a trace, once they are stored. */
  async function actionsOf({ trace_id }: TraceAnswer): Promise<ActionsAnswer['actions']> {
    for (;;) {
      const { json } = await get<ActionsAnswer>(`actions?trace_id=${encodeURIComponent(trace_id!)}`);
      if ((json.actions ?? []).length > 0) return json.actions;
      await new Promise((next) => setTimeout(next, 50));
    }
  }

  const changesOf = async (query: string) =>
    (await get<BalanceChangesAnswer>(`balanceChanges?${query}`)).json;
  const inOrder = ({ transactions, transactions_order }: TraceAnswer): TransactionAnswer[] =>
    transactions_order!.map((hash) => transactions![hash]!);

  it('are those of the states, less what is still on its way', async () => {
    const trace = await sent(0, 5n);
    const { changes, fees, jettons } = await changesOf(`trace_id=${encodeURIComponent(trace.trace_id!)}`);
    const accounts = Map.groupBy(inOrder(trace), ({ account }) => account);
    expect(Object.keys(changes).sort()).toEqual([...accounts.keys()].sort());
    for (const [account, all] of accounts) {
      const [before, after] = [all[0]!.account_state_before.balance, all.at(-1)!.account_state_after.balance];
      expect([account, changes[account]]).toEqual([account, Number(BigInt(after!) - BigInt(before!))]);
    }
    const deploy = (await actionsOf(trace)).find(({ type }) => type === 'contract_deploy')!;
    const none = { changes: {}, fees: {}, jettons: {} };
    expect(await changesOf(`action_id=${encodeURIComponent(deploy.action_id)}`)).toEqual(none);
    expect(Object.values(fees).every((fee) => fee >= 0)).toBe(true);
    expect(jettons).toEqual({
      [raw(from.address)]: { [raw(master)]: '-5' },
      [raw(owner)]: { [raw(master)]: '5' },
    });
  });

  it('of an action leave out the transaction that sent its first message, unless a user did', async () => {
    const trace = await sent(1, 7n);
    const actions = await actionsOf(trace);
    const transfer = actions.find(({ type }) => type === 'jetton_transfer')!;
    // The wallet took an external message: its own transaction counts.
    expect(await changesOf(`action_id=${encodeURIComponent(transfer.action_id)}`)).toEqual(
      await changesOf(`trace_id=${encodeURIComponent(trace.trace_id!)}`),
    );
  });

  it('have no jettons where a transfer fails', async () => {
    const trace = await sent(2, 10n ** 30n);
    const { changes, jettons } = await changesOf(`trace_id=${encodeURIComponent(trace.trace_id!)}`);
    expect(jettons).toEqual({});
    expect(changes[raw(from.address)]).toBeLessThan(0);
  });

  it.each([
    ['', 400, 'trace_id or action_id is required'],
    [`action_id=${'ab'.repeat(32)}`, 404, 'action_id not found'],
    ['action_id=abc', 422, 'failed to decode: schema: error converting value for "action_id"'],
  ])('are refused for ?%s', async (query, status, error) => {
    expect(await get(`balanceChanges?${query}`)).toEqual({ status, json: { code: status, error } });
  });

  it('of an unknown trace are none', async () => {
    expect(await changesOf(`trace_id=${'ab'.repeat(32)}`)).toEqual({ changes: {}, fees: {}, jettons: {} });
  });
});
