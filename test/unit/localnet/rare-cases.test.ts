import {
  Address,
  beginCell,
  Cell,
  comment,
  contractAddress,
  external,
  internal,
  type MessageRelaxed,
  type StateInit,
  storeMessage,
} from '@ton/core';
import { WalletContractV4 } from '@ton/ton';
import { describe, expect, it } from 'vitest';
import type { Engine } from '../../../src/localnet/engine/engine.ts';
import { genesisWallets } from '../../../src/localnet/genesis/genesis-wallets.ts';
import { LOCALNET_GLOBAL_ID } from '../../../src/localnet/localnet-source.ts';
import { deriveKey } from '../../../src/localnet/wallets/key-pair.ts';
import { makeWallet } from '../../../src/localnet/wallets/wallet.ts';
import { writeBag } from '../../../src/ton/cell/write-bag.ts';
import { openBlock } from '../../../src/ton/decode/open-block.ts';
import { loadMessage } from '../../../src/ton/tlb/message/message.ts';
import { loadWholeCell } from '../../../src/ton/tlb/whole-cell.ts';
import { makeSteps, openEngine } from './local-engine.ts';
import { loadTransactions, outcomeOf } from './read-transactions.ts';

const wallet = genesisWallets('test', LOCALNET_GLOBAL_ID).wallets.find(({ version }) => version === 'v4r2')!;
const client = WalletContractV4.create({ workchain: 0, publicKey: Buffer.from(wallet.key.publicKey) });
const TON = 1_000_000_000n;

/** Sends with the published client, which can send any message. */
function send(engine: Engine, seqno: number, messages: MessageRelaxed[], workchain = 0) {
  const from = workchain === 0 ? client : masterchainClient;
  const body = from.createTransfer({
    seqno,
    secretKey: Buffer.concat([wallet.key.seed, wallet.key.publicKey]),
    timeout: engine.status().utime + 600,
    messages,
  });
  const message = beginCell()
    .store(storeMessage(external({ to: from.address, body })))
    .endCell();
  expect(engine.send(message.toBoc())).toMatchObject({ ok: true });
}

const masterchainClient = WalletContractV4.create({
  workchain: -1,
  publicKey: Buffer.from(wallet.key.publicKey),
});

async function started(shards = 1): Promise<Engine> {
  const engine = await openEngine({ shards });
  await engine.resume(null);
  await makeSteps(engine, 3);
  return engine;
}

const transactionsOf = (steps: Awaited<ReturnType<typeof makeSteps>>) =>
  steps.flatMap(({ blocks }) => blocks.flatMap(loadTransactions));

describe('rare cases of the local chain', () => {
  it('has messages to the world outside', async () => {
    const engine = await started();
    const out: MessageRelaxed = {
      info: { type: 'external-out', createdAt: 0, createdLt: 0n, src: null, dest: null },
      body: comment('to whom it may concern'),
    };
    send(engine, 0, [out, internal({ to: client.address, value: TON / 100n, bounce: false })]);
    const [step] = await makeSteps(engine, 1);
    const sender = loadTransactions(step!.blocks[0]!).find(({ outMsgs }) => outMsgs.length === 2)!;
    const { boc } = openBlock(step!.blocks[0]!.boc);
    const kinds = sender.outMsgs.map((cell) => loadWholeCell(boc, cell, 'Message', loadMessage).info.kind);
    expect(kinds).toEqual(['ext_out', 'internal']);
  });

  it('publishes a library of a masterchain account and runs code that refers to it', async () => {
    const engine = await started(2);
    // The library: a contract that fails with 7.
    const library = beginCell().storeUint(0xf207, 16).endCell();
    // `<library> PUSHREF  2 PUSHINT  SETLIBCODE`: publishes it (a state init may not, when it deploys).
    const publish = beginCell().storeUint(0x8872fb06, 32).storeRef(library).endCell();
    const publisher: StateInit = { code: publish, data: Cell.EMPTY };
    const place = contractAddress(-1, publisher);
    send(engine, 0, [internal({ to: place, init: publisher, value: TON, bounce: false })]);
    await makeSteps(engine, 3);
    expect(engine.chainState().masterchain.libraries.size).toBe(1);

    const code = beginCell().storeUint(2, 8).storeBuffer(library.hash()).endCell({ exotic: true });
    const user: StateInit = { code, data: beginCell().storeUint(1, 8).endCell() };
    send(engine, 1, [internal({ to: contractAddress(0, user), init: user, value: TON, bounce: true })]);
    const outcomes = transactionsOf(await makeSteps(engine, 3)).map(outcomeOf);
    expect(outcomes).toContain('exit 7, bounced');
  });

  it('freezes an account that cannot pay for its place, and deletes it in the end', async () => {
    const engine = await started();
    const poor = makeWallet('poor', 'v4r2', deriveKey('test', 'poor'), LOCALNET_GLOBAL_ID);
    const init = { code: core(poor.code), data: core(poor.data) };
    const to = new Address(0, Buffer.from(poor.address.address));
    send(engine, 0, [internal({ to, init, value: TON / 100n, bounce: false })]);
    await makeSteps(engine, 2);
    const years = 365 * 86_400;
    engine.warp(40 * years);
    await makeSteps(engine, 1);
    send(engine, 1, [internal({ to, value: TON / 100n, bounce: false })]);
    const frozen = transactionsOf(await makeSteps(engine, 2)).map(({ description, endStatus }) => [
      description.storage?.statusChange,
      endStatus,
    ]);
    expect(frozen).toContainEqual(['frozen', 'frozen']);
    engine.warp(38 * years);
    await makeSteps(engine, 1);
    send(engine, 2, [internal({ to, value: TON / 100n, bounce: false })]);
    const later = transactionsOf(await makeSteps(engine, 2)).map(({ endStatus }) => endStatus);
    expect(later.some((status) => status === 'nonexist' || status === 'frozen')).toBe(true);
  });

  it('deploys in the masterchain and sends back from there', async () => {
    const engine = await started(3);
    const to = { workchain: -1, address: new Uint8Array(masterchainClient.address.hash) };
    expect(engine.fund(to, 5n * TON, '').ok).toBe(true);
    await makeSteps(engine, 2);
    const body = masterchainClient.createTransfer({
      seqno: 0,
      secretKey: Buffer.concat([wallet.key.seed, wallet.key.publicKey]),
      timeout: engine.status().utime + 600,
      messages: [internal({ to: client.address, value: TON, bounce: true, body: 'back' })],
    });
    const message = external({ to: masterchainClient.address, init: masterchainClient.init, body });
    const boc = beginCell().store(storeMessage(message)).endCell().toBoc();
    expect(engine.send(boc)).toMatchObject({ ok: true });
    const transactions = transactionsOf(await makeSteps(engine, 3));
    expect(transactions.some(({ accountAddr }) => Buffer.from(accountAddr).equals(client.address.hash))).toBe(
      true,
    );
  });
});

function core(cell: { hash(): Uint8Array } & object): Cell {
  return Cell.fromBoc(Buffer.from(writeBag(cell as never)))[0]!;
}
