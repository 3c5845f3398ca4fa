import { Check } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { pendingTraces } from '../../../src/api/pending/pending-trace.ts';
import { AnswerBodies } from '../../../src/api/v3/answers/answer-bodies.ts';
import { traceAnswer } from '../../../src/api/v3/answers/pending/pending-traces-answer.ts';
import { TraceSchema } from '../../../src/api/v3/schemas/trace.ts';
import type { Engine } from '../../../src/localnet/engine/engine.ts';
import { genesisWallets } from '../../../src/localnet/genesis/genesis-wallets.ts';
import { LOCALNET_GLOBAL_ID } from '../../../src/localnet/localnet-source.ts';
import { type Transfer, walletMessage } from '../../../src/localnet/wallets/transfer.ts';
import type { Wallet } from '../../../src/localnet/wallets/wallet.ts';
import { walletSeqno } from '../../../src/localnet/wallets/wallet-seqno.ts';
import { writeBag } from '../../../src/ton/cell/write-bag.ts';
import { commentBody } from '../../../src/ton/messages/text-comment.ts';
import type { AccountAddress } from '../../../src/ton/store/store-address.ts';
import { makeSteps, openEngine, tipHash } from './local-engine.ts';

const { faucet, wallets } = genesisWallets('test', LOCALNET_GLOBAL_ID);
const v5 = wallets.find(({ version }) => version === 'v5r1')!;
const LATER = 2_000_000_000;
const NO_STATES = new Map();

/** The same address in the other half of the basechain, and one in the masterchain. */
const acrossFrom = ({ address }: Wallet): AccountAddress => ({
  workchain: 0,
  address: address.address.map((byte, i) => (i === 0 ? byte ^ 0x80 : byte)),
});

async function started(shards: number): Promise<Engine> {
  const engine = await openEngine({ shards });
  await engine.resume(null);
  await makeSteps(engine, 4);
  return engine;
}

function send(
  engine: Engine,
  from: Wallet,
  transfers: readonly Transfer[],
  options: { seqno?: number; validUntil?: number } = {},
): Uint8Array {
  const { seqno = walletSeqno(from, engine.entry(from.address)), validUntil = LATER } = options;
  const outcome = engine.send(writeBag(walletMessage(from, transfers, { seqno, validUntil })));
  if (!outcome.ok) throw new Error(outcome.detail);
  return outcome.hash;
}

const to = (address: AccountAddress): Transfer => ({ to: address, value: 1_000_000_000n, bounce: false });

/** The traces as answers would have them, for readers who know the blocks up to `served`. */
function traces(engine: Engine, served = engine.status().mcSeqno) {
  return pendingTraces(engine.pending(served), served);
}

describe('pending traces', () => {
  it('are predicted byte for byte as the next block has them, and absent after it is served', async () => {
    const engine = await started(1);
    expect(engine.pending(engine.status().mcSeqno)).toEqual({ externals: [], blocks: [] });
    const external = send(engine, v5, [to(faucet.address)]);
    const { mcSeqno } = engine.status();
    const view = engine.pending(mcSeqno);
    expect(view.externals).toEqual([external]);
    expect(view.blocks.map(({ workchain, mcSeqno: by }) => [workchain, by])).toEqual([[0, null]]);
    const [step] = await makeSteps(engine, 1);
    expect(step!.blocks[0]!.id.rootHash).toEqual(view.blocks[0]!.rootHash);

    const made = engine.pending(mcSeqno);
    expect(made.blocks).toEqual([{ ...view.blocks[0], mcSeqno: mcSeqno + 1 }]);
    expect(pendingTraces(made, mcSeqno)[0]!.transactions.map(({ emulated }) => emulated)).toEqual([
      true,
      true,
    ]);
    expect(engine.pending(mcSeqno + 1)).toEqual({ externals: [], blocks: [] });
  });

  it('leave the chain unchanged: the same blocks follow with and without requests', async () => {
    const tips = [];
    for (const isAsked of [false, true]) {
      const engine = await started(2);
      for (let i = 0; i < 3; i++) {
        for (const wallet of wallets) send(engine, wallet, [to(acrossFrom(wallet)), to(faucet.address)]);
        if (i === 1) engine.changeConfig(777, writeBag(commentBody('a cell that the real state will have')));
        if (isAsked) expect(traces(engine).length).toBeGreaterThanOrEqual(wallets.length);
        tips.push(tipHash((await makeSteps(engine, 1))[0]!));
      }
    }
    expect(tips.slice(0, 3)).toEqual(tips.slice(3));
  });

  it('of a message to another shard are partly in blocks before they end', async () => {
    const engine = await started(2);
    const external = send(engine, v5, [
      to(acrossFrom(v5)),
      to({ workchain: -1, address: new Uint8Array(32).fill(9) }),
    ]);
    const before = engine.status().mcSeqno;
    const [foreseen] = traces(engine);
    expect(foreseen).toMatchObject({ externalHash: external, messages: 3, untaken: 0 });
    expect(foreseen!.transactions.map(({ emulated }) => emulated)).toEqual([true, true, true]);
    expect(foreseen!.root.children.map(({ row }) => row.workchain).sort()).toEqual([-1, 0]);

    await makeSteps(engine, 1);
    const [half] = traces(engine, before + 1);
    // The masterchain block of the same step has taken its message already.
    const emulated = half!.transactions.filter((one) => one.emulated);
    expect(emulated.map(({ row }) => [row.workchain, row.mc_seqno])).toEqual([[0, 0]]);
    expect(half!.root).toMatchObject({ emulated: false, row: { mc_seqno: before + 1 } });
    expect(half!.root.row.hash).toBe(foreseen!.root.row.hash);

    await makeSteps(engine, 1);
    expect(traces(engine, before + 1)[0]!.transactions.filter((one) => one.emulated)).toHaveLength(1);
    expect(traces(engine, before + 2)).toEqual([]);
  });

  it('end if a block refuses what was accepted before', async () => {
    const engine = await started(1);
    send(engine, v5, [to(faucet.address)], { validUntil: engine.status().utime + 30 });
    expect(traces(engine)).toHaveLength(1);
    engine.warp(1_000);
    expect((await makeSteps(engine, 1))[0]!.refused).toBe(1);
    expect(traces(engine)).toEqual([]);
  });

  it('are predicted up to a limit, and are marked then', async () => {
    const engine = await started(1);
    const many = Array.from({ length: 200 }, (_, i) =>
      to({ workchain: 0, address: new Uint8Array(32).fill(i + 1) }),
    );
    const hashes = [0, 1].map((seqno) =>
      send(
        engine,
        v5,
        many.map((one) => ({ ...one, value: 1_000n })),
        { seqno },
      ),
    );
    const { mcSeqno } = engine.status();
    const found = traces(engine);
    expect(found.map(({ externalHash }) => externalHash)).toEqual(hashes);
    expect(found.map(({ messages }) => messages)).toEqual([201, 201]);
    const sizes = found.map(({ transactions, untaken }) => [transactions.length, untaken] as const);
    for (const [size, untaken] of sizes) expect(size + untaken).toBe(201);
    expect(sizes[0]![0] + sizes[1]![0]).toBeLessThanOrEqual(256);
    const [answer] = found
      .filter(({ untaken }) => untaken > 0)
      .map((trace) => traceAnswer(trace, NO_STATES, new AnswerBodies({})));
    expect(Check(TraceSchema, answer)).toBe(true);
    expect(answer).toMatchObject({
      is_incomplete: true,
      trace_info: { pending_messages: expect.any(Number) },
    });
    const { transactions, pending_messages } = answer!.trace_info;
    expect([transactions + pending_messages, answer!.transactions_order!.length]).toEqual([
      201,
      transactions,
    ]);
    await makeSteps(engine, 1);
    expect(traces(engine, mcSeqno).map(({ transactions }) => transactions.length)).toEqual([201, 201]);
    const large = pendingTraces(engine.pending(mcSeqno), mcSeqno, 50).map((trace) =>
      traceAnswer(trace, NO_STATES, new AnswerBodies({})),
    );
    expect(large.map(({ is_incomplete, warning }) => [is_incomplete, warning])).toEqual([
      [true, 'trace is too large'],
      [true, 'trace is too large'],
    ]);
    for (const one of large) {
      expect(Check(TraceSchema, one)).toBe(true);
      expect(one).not.toHaveProperty('trace');
      expect(one).not.toHaveProperty('transactions');
    }
    expect(traces(engine, mcSeqno + 1)).toEqual([]);
  });

  it('are dropped when their blocks have not been served for long', async () => {
    const engine = await started(1);
    send(engine, v5, [to(faucet.address)]);
    const { mcSeqno } = engine.status();
    for (let i = 0; i < 64; i++) await engine.step();
    expect(traces(engine, mcSeqno)).toHaveLength(1);
    await engine.step();
    expect(traces(engine, mcSeqno)).toEqual([]);
  });
});
