import { describe, expect, it } from 'vitest';
import type { Engine, EngineStep } from '../../../src/localnet/engine/engine.ts';
import { genesisWallets } from '../../../src/localnet/genesis/genesis-wallets.ts';
import { LOCALNET_GLOBAL_ID } from '../../../src/localnet/localnet-source.ts';
import { CellBuilder, cellWith } from '../../../src/ton/cell/cell-builder.ts';
import { readCell } from '../../../src/ton/cell/cells-of-bag.ts';
import { writeBag } from '../../../src/ton/cell/write-bag.ts';
import { openBlock } from '../../../src/ton/decode/open-block.ts';
import { type NewMessage, storeMessageRelaxed } from '../../../src/ton/messages/message-relaxed.ts';
import { commentBody } from '../../../src/ton/messages/text-comment.ts';
import type { AccountAddress } from '../../../src/ton/store/store-address.ts';
import { loadValueFlow, type ValueFlow } from '../../../src/ton/tlb/block/value-flow.ts';
import { loadWholeCell } from '../../../src/ton/tlb/whole-cell.ts';
import { makeSteps, openEngine, tipHash } from './local-engine.ts';
import { loadTransactions, outcomeOf } from './read-transactions.ts';

const TON = 1_000_000_000n;
const NOWHERE: AccountAddress = { workchain: 0, address: new Uint8Array(32).fill(0x57) };
const MASTER: AccountAddress = { workchain: -1, address: new Uint8Array(32).fill(0x57) };
const { faucet, wallets } = genesisWallets('test', LOCALNET_GLOBAL_ID);

// A method that returns 7: SETCP0, DROP, PUSHINT 7; data of 16 bits.
const CODE = new CellBuilder().bytes(Uint8Array.fromHex('ff003077')).cell();
const DATA = new CellBuilder().uint(0xbeef, 16).cell();

async function settledEngine(shards = 1): Promise<Engine> {
  const engine = await openEngine({ shards });
  await engine.resume(null);
  for (let left = 4; left > 0; left--) await makeSteps(engine, 1);
  return engine;
}

const message = (fields: Partial<NewMessage>) =>
  writeBag(
    cellWith(storeMessageRelaxed, {
      to: NOWHERE,
      value: TON,
      bounce: false,
      body: null,
      init: null,
      ...fields,
    }),
  );

const outcomes = (steps: readonly EngineStep[]) =>
  steps
    .flatMap(({ blocks }) => blocks.flatMap(loadTransactions))
    .map(outcomeOf)
    .filter((outcome) => outcome !== 'tick' && outcome !== 'tock');

const grams = (engine: Engine, address: AccountAddress) => engine.entry(address)?.balance.grams;

/** Balance of all accounts as the masterchain has it, and as the accounts have it with the fees collected. */
function balances(engine: Engine): [bigint, bigint] {
  const { masterchain, shards, extra } = engine.chainState();
  const held = [masterchain, ...shards].reduce((sum, { accounts }) => sum + accounts.extra().grams, 0n);
  return [extra.globalBalance.grams, held + masterchain.validatorFees.grams];
}

function valueFlow(bytes: Uint8Array): ValueFlow {
  const { boc, block } = openBlock(bytes);
  return loadWholeCell(boc, block.valueFlow, 'ValueFlow', loadValueFlow);
}

describe.each([1, 4])('interventions on %d shards, in valid blocks', (shards) => {
  it('sets a balance: more, less and none, of accounts of both workchains', async () => {
    const engine = await settledEngine(shards);
    for (const account of [NOWHERE, MASTER, faucet.address])
      for (const balance of [5n * TON, 7n * TON + 1n, 3n]) {
        expect(engine.setAccount(account, { balance })).toMatchObject({ ok: true });
        const steps = await makeSteps(engine, 1);
        expect(grams(engine, account)).toBe(balance);
        expect(outcomes(steps)).toEqual([account === faucet.address ? 'ok' : 'no state']);
      }
    expect(engine.entry(faucet.address)?.status).toBe('active');
    expect(engine.setAccount(NOWHERE, { balance: 0n })).toMatchObject({ ok: true });
    await makeSteps(engine, 1);
    expect(engine.entry(NOWHERE)).toBeNull();
  });

  it('sends as any account: a wallet, a contract and one without code; they pay, and keep their state', async () => {
    const engine = await settledEngine(shards);
    const wallet = wallets[1]!;
    const jetton = engine.contracts().find(({ name }) => name.startsWith('jetton'))!;
    for (const account of [MASTER, jetton.address]) engine.setAccount(account, { balance: 5n * TON });
    await makeSteps(engine, 1);
    for (const [i, sender] of [wallet.address, jetton.address, MASTER].entries()) {
      const before = engine.entry(sender)!;
      const sent = engine.impersonate(sender, message({ body: commentBody('as another') }));
      expect(sent).toMatchObject({ ok: true, hash: expect.any(Uint8Array) });
      const steps = await makeSteps(engine, 3);
      expect(outcomes(steps).sort()).toEqual(['no state', 'ok']);
      const after = engine.entry(sender)!;
      expect(after.status).toBe(before.status);
      expect(after.account.refs.map(({ key }) => key)).toEqual(before.account.refs.map(({ key }) => key));
      expect(before.balance.grams - after.balance.grams).toBeGreaterThan(TON);
      expect(before.balance.grams - after.balance.grams).toBeLessThan(TON + TON / 10n);
      expect(grams(engine, NOWHERE)).toBeGreaterThan(BigInt(i + 1) * TON - 1_000n);
    }
  });
});

describe('interventions', () => {
  it('set code and data; an account of code runs it, and one without becomes active', async () => {
    const engine = await settledEngine();
    for (const account of [NOWHERE, faucet.address]) {
      expect(engine.setAccount(account, { code: writeBag(CODE), data: writeBag(DATA) })).toMatchObject({
        ok: true,
      });
      expect(outcomes(await makeSteps(engine, 1))).toEqual(['ok']);
      const [code, data] = readCell(Buffer.from(engine.account(account).shardAccount!, 'base64')).refs[0]!
        .refs;
      expect([code?.key, data?.key]).toEqual([CODE.key, DATA.key]);
    }
    engine.setAccount(NOWHERE, { data: writeBag(CODE), balance: TON });
    await makeSteps(engine, 1);
    expect(engine.entry(NOWHERE)!.account.refs.map(({ key }) => key)).toEqual([CODE.key, CODE.key]);
    // The account lives on by the chain's rules: its code runs.
    expect(engine.impersonate(faucet.address, message({ to: NOWHERE }))).toMatchObject({ ok: true });
    expect(outcomes(await makeSteps(engine, 2))).toEqual(['ok', 'ok']);
  });

  it('keeps the sum of all balances: the masterchain counts what is added, and fees what is taken', async () => {
    const engine = await settledEngine(2);
    const [global, held] = balances(engine);
    expect(held).toBe(global);
    for (const account of [NOWHERE, MASTER]) engine.setAccount(account, { balance: 1_000n * TON });
    const [step] = await makeSteps(engine, 1);
    const minted = step!.blocks.map(({ boc }) => valueFlow(boc).minted.grams);
    expect(minted.filter((amount) => amount > 0n)).toEqual([1_000n * TON, 1_000n * TON]);
    expect(balances(engine)[0]).toBe(balances(engine)[1]);
    expect(balances(engine)[0] - global).toBeGreaterThan(1_999n * TON);
    engine.setAccount(NOWHERE, { balance: 1n });
    await makeSteps(engine, 2);
    expect(balances(engine)[0]).toBe(balances(engine)[1]);
  });

  it('are done in order in one block, also on an account that ends and begins again there', async () => {
    const engine = await settledEngine();
    engine.setAccount(NOWHERE, { balance: 5n });
    engine.setAccount(NOWHERE, { balance: 0n });
    engine.setAccount(NOWHERE, { balance: 2n * TON });
    expect(engine.impersonate(NOWHERE, message({ to: faucet.address }))).toMatchObject({ ok: true });
    expect(engine.setAccount(NOWHERE, { balance: 4n })).toMatchObject({ ok: true, number: 5 });
    expect(outcomes(await makeSteps(engine, 1))).toHaveLength(6);
    expect(grams(engine, NOWHERE)).toBe(4n);
    expect(engine.status().intervened).toBe(5);
  });

  it('wait while shards are split, and are seen by the messages that are sent after them', async () => {
    const engine = await openEngine({ shards: 4 });
    await engine.resume(null);
    expect(engine.setAccount(faucet.address, { balance: 1n })).toMatchObject({ ok: true });
    expect(engine.fund(NOWHERE, TON, '')).toMatchObject({ ok: false });
    await makeSteps(engine, 1);
    expect(engine.status().intervened).toBe(0);
    await makeSteps(engine, 4);
    expect([engine.status().intervened, grams(engine, faucet.address)]).toEqual([1, 1n]);
  });

  it('survive a restart, and give the same blocks again', async () => {
    const run = async () => {
      const engine = await settledEngine();
      engine.setAccount(NOWHERE, { code: writeBag(CODE), data: writeBag(DATA), balance: TON });
      engine.impersonate(wallets[0]!.address, message({}));
      return { engine, tip: tipHash((await makeSteps(engine, 2)).at(-1)!) };
    };
    const { engine, tip } = await run();
    expect((await run()).tip).toBe(tip);
    const { block } = engine.chainState().masterchain;
    const state = grams(engine, NOWHERE);
    await engine.resume({ mcSeqno: block.seqno, rootHash: block.rootHash });
    expect(grams(engine, NOWHERE)).toBe(state);
    await makeSteps(engine, 1);
  });

  it('are refused with the reason', async () => {
    const engine = await settledEngine();
    const refused = (outcome: { readonly ok: boolean; readonly detail?: string }) => [
      outcome.ok,
      outcome.detail,
    ];
    expect(refused(engine.setAccount(NOWHERE, { data: writeBag(DATA) }))).toEqual([
      false,
      'data: expected an account with code, found one that is nonexist: set its code too',
    ]);
    expect(refused(engine.setAccount(NOWHERE, { balance: 10n ** 28n }))[1]).toContain(
      'balance: expected 0 to',
    );
    let deep = DATA;
    for (let depth = 0; depth < 513; depth++) deep = new CellBuilder().ref(deep).cell();
    expect(refused(engine.setAccount(NOWHERE, { code: writeBag(deep) }))[1]).toContain(
      'a depth of at most 512',
    );
    expect(refused(engine.impersonate(NOWHERE, message({})))).toEqual([false, 'there is no account']);
    engine.setAccount(NOWHERE, { balance: TON });
    expect(refused(engine.impersonate(NOWHERE, message({ value: 2n * TON })))).toEqual([
      false,
      'the action phase failed with result code 37',
    ]);
    // What is refused leaves no trace.
    expect(outcomes(await makeSteps(engine, 1))).toEqual(['no state']);
    expect(grams(engine, NOWHERE)).toBe(TON);
  });
});
