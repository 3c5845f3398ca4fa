/** Actions of multisig orders that are detected long after them: a correction classifies the traces again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActionAnswer } from '../../src/api/v3/schemas/action.ts';
import { genesisMultisig } from '../../src/localnet/genesis/genesis-multisig.ts';
import { genesisWallets } from '../../src/localnet/genesis/genesis-wallets.ts';
import { LOCALNET_GLOBAL_ID } from '../../src/localnet/localnet-source.ts';
import { approvalBody, newOrderBody, orderAddress } from '../../src/localnet/traffic/multisig-messages.ts';
import { type Transfer, walletMessage } from '../../src/localnet/wallets/transfer.ts';
import type { Wallet } from '../../src/localnet/wallets/wallet.ts';
import type { Cell } from '../../src/ton/cell/cell.ts';
import { CellBuilder } from '../../src/ton/cell/cell-builder.ts';
import { writeBag } from '../../src/ton/cell/write-bag.ts';
import { type AccountAddress, storeAddress } from '../../src/ton/store/store-address.ts';
import { otherMultisigCodes } from '../helpers/changed-contracts.ts';
import { CorrectedTables } from '../helpers/corrected-tables.ts';
import { account, CustomTokenChain, findAction, raw } from '../helpers/custom-token-chain.ts';
import { deployment } from '../helpers/custom-tokens.ts';

const TON = 1_000_000_000n;
/** A server keeps an answer for a minute while the head does not move. */
const CACHED = { timeout: 120_000, interval: 500 };
const EXPIRES = Math.floor(Date.now() / 1000) + 1_000_000;
/** Exit code of an approval that the signer gave before. */
const APPROVED_ALREADY = 107;
const SIGNERS = ['v3r1', 'v3r2', 'v5r1'].map(
  (version) =>
    genesisWallets('localnet', LOCALNET_GLOBAL_ID).wallets.find((wallet) => wallet.version === version)!,
);

/** Data of an order that was never ordered, with the signers of a multisig. */
function forgedOrder(multisig: AccountAddress, multisigData: Cell): Cell {
  const data = new CellBuilder().with(storeAddress, multisig).bigUint(7n, 256).uint(3, 8).bit(false);
  data.ref(multisigData.refs[0]!).bigUint(0n, 256).uint(0, 8).bigUint(BigInt(EXPIRES), 48);
  return data.ref(new CellBuilder().cell()).cell();
}

describe('multisig orders that are detected after they were executed', { timeout: 900_000 }, () => {
  let chain: CustomTokenChain;
  let tables: CorrectedTables;
  /** Hashes of messages, each with the action that it should have. */
  const sent: { readonly hash: string; readonly expected: Partial<ActionAnswer> & { type: string } }[] = [];
  /** Hash of an approval of an order that the multisig does not confirm. */
  let forged: string;
  const seqnos = new Map<Wallet, number>();

  async function send(signer: number, transfer: Transfer): Promise<string> {
    const wallet = SIGNERS[signer]!;
    const seqno = seqnos.get(wallet) ?? 0;
    seqnos.set(wallet, seqno + 1);
    const validUntil = Math.floor(Date.now() / 1000) + 3_600;
    const boc = writeBag(walletMessage(wallet, [transfer], { seqno, validUntil })).toBase64();
    const { message_hash } = await chain.post('v3/message', { boc });
    await chain.mine(8);
    return message_hash as string;
  }
  const approve = (signer: number, to: AccountAddress) =>
    send(signer, { to, value: TON / 5n, bounce: true, body: approvalBody(9n, signer) });

  beforeAll(async () => {
    chain = await CustomTokenChain.open({ awaited: ['contracts', 'actions'] });
    tables = new CorrectedTables(chain.api);
    const codes = await otherMultisigCodes();
    const addresses = SIGNERS.map(({ address }) => address);
    const { address: multisig, code, data } = genesisMultisig(addresses, SIGNERS.length, codes);
    const order = orderAddress(codes.orderCode, multisig, 0n);
    const body = newOrderBody({
      ...{ queryId: 8n, seqno: 0n, signer: 0, expiresAt: EXPIRES },
      ...{ to: account(0x73), value: TON },
    });
    sent.push({
      hash: await send(0, { to: multisig, value: 2n * TON, bounce: true, body, stateInit: { code, data } }),
      expected: {
        type: 'multisig_create_order',
        success: true,
        details: {
          source: raw(SIGNERS[0]!.address),
          destination: raw(multisig),
          destination_order: raw(order),
          order_seqno: '0',
          is_created_by_signer: true,
          is_signed_by_creator: true,
          creator_index: 0,
        },
      },
    });
    const approval = { source: raw(SIGNERS[1]!.address), destination: raw(order), signer_index: 1 };
    for (const exitCode of [0, APPROVED_ALREADY])
      sent.push({
        hash: await approve(1, order),
        expected: {
          type: 'multisig_approve',
          success: exitCode === 0,
          details: { ...approval, exit_code: exitCode },
        },
      });
    sent.push({
      hash: await approve(2, order),
      expected: {
        type: 'multisig_execute',
        success: true,
        details: { source: raw(order), destination: raw(multisig), order_seqno: '0', approvals_num: 3 },
      },
    });
    const fake = deployment(codes.orderCode, forgedOrder(multisig, data));
    await send(1, { to: fake.address, value: TON / 5n, bounce: true, stateInit: fake.stateInit });
    forged = await approve(1, fake.address);
  }, 900_000);
  afterAll(() => chain?.api.close());

  /** All actions of the trace that a message began: those of the message have no execution. */
  async function actionsOf(hash: string): Promise<readonly ActionAnswer[]> {
    const { actions } = await chain.get('actions', { msg_hash: hash });
    const { trace_id: traceId } = (actions as readonly ActionAnswer[])[0]!;
    const whole = await chain.get('actions', { trace_id: traceId!, include_accounts: 'true' });
    return whole.actions as readonly ActionAnswer[];
  }

  it('are calls at first, and the traces wait', async () => {
    for (const { hash, expected } of sent) {
      const actions = await actionsOf(hash);
      expect(findAction(actions, expected.type)).toBeUndefined();
      expect(findAction(actions, 'call_contract')).toBeDefined();
    }
    expect((await tables.figures())['waiting traces']).toBeGreaterThan(sent.length);
  });

  it('are corrected, except of an order that its multisig does not confirm, and are the rows of a replay', async () => {
    chain.api.detect();
    await expect.poll(async () => (await tables.figures())['waiting traces'], { timeout: 800_000 }).toBe(0);
    for (const { hash, expected } of sent) {
      await expect
        .poll(async () => findAction(await actionsOf(hash), expected.type), CACHED)
        .toMatchObject(expected);
      const { accounts } = findAction(await actionsOf(hash), expected.type)!;
      // Each signer finds the actions of an order.
      expect(accounts).toEqual(expect.arrayContaining(SIGNERS.map(({ address }) => raw(address))));
    }
    const actions = await actionsOf(forged);
    expect(findAction(actions, 'multisig_approve')).toBeUndefined();
    expect(findAction(actions, 'call_contract')).toBeDefined();
    await expect
      .poll(async () => (await tables.readDone()).lake, { timeout: 300_000 })
      .toBe((await tables.readDone()).actions);
    await tables.expectReplayed();
  });
});
