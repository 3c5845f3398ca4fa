import { beforeAll, describe, expect, it } from 'vitest';
import { readSourceBlock } from '../../../src/capture/read-block.ts';
import { payerContract, payoutMessage } from '../../../src/localnet/collate/direct/payer.ts';
import { TransactionRun } from '../../../src/localnet/collate/transaction-run.ts';
import { targetShards } from '../../../src/localnet/engine/engine-options.ts';
import { LocalChain } from '../../../src/localnet/engine/local-chain.ts';
import { makeGenesisRecord } from '../../../src/localnet/engine/open-chain.ts';
import type { GenesisContract } from '../../../src/localnet/genesis/genesis-account.ts';
import { genesisWallets } from '../../../src/localnet/genesis/genesis-wallets.ts';
import { LOCALNET_GLOBAL_ID } from '../../../src/localnet/localnet-source.ts';
import { restoreChain } from '../../../src/localnet/state/save-chain.ts';
import type { Cell } from '../../../src/ton/cell/cell.ts';
import { CellBuilder } from '../../../src/ton/cell/cell-builder.ts';
import { writeBag } from '../../../src/ton/cell/write-bag.ts';
import { toHex } from '../../../src/ton/hash/hex.ts';
import { externalMessage } from '../../../src/ton/messages/external-message.ts';
import type { Transaction } from '../../../src/ton/tlb/transaction/transaction.ts';
import { Emulator } from '../../../src/tvm/emulator.ts';
import { validateBlock } from '../../helpers/validate/validate-block.ts';
import { accepting, deepCell, looping, withDictionary } from './deep-cells.ts';
import { GENESIS_UTIME } from './engine-test-options.ts';
import { loadTransactions } from './read-transactions.ts';

const SEED = 'traps';
const { faucet, wallets } = genesisWallets(SEED, LOCALNET_GLOBAL_ID);
/** The executor's own stack, in which code that sets a key of this dictionary ends in a trap. */
const SMALL_STACK = 65_536;
const trapping = withDictionary(220);
const payer = payerContract(1);
const message = (to: GenesisContract, nonce = 0) =>
  externalMessage(to.address, { ref: new CellBuilder().uint(nonce, 32).cell() });

let small: Emulator;
let roomy: Emulator;
beforeAll(async () => {
  [small, roomy] = [await Emulator.create(SMALL_STACK), await Emulator.create()];
});

class Chain {
  readonly local: LocalChain;
  private readonly saved;
  private readonly steps: { mcSeqno: number; blocks: Uint8Array[] }[] = [];
  private utime = GENESIS_UTIME;

  constructor(emulator: Emulator) {
    const facts = { seed: SEED, shards: 1, globalId: LOCALNET_GLOBAL_ID, utime: GENESIS_UTIME };
    this.saved = makeGenesisRecord(facts, [accepting, trapping, looping, payer]).start;
    this.local = this.open(emulator, restoreChain(this.saved, []));
  }

  send(cell: Parameters<LocalChain['sendCell']>[0], to: GenesisContract['address']) {
    return this.local.sendCell(cell, to, this.utime + 1);
  }

  /** Makes a step of valid blocks. */
  step() {
    const made = this.local.step(++this.utime);
    for (const { boc } of made.blocks) expect(validateBlock(boc).violations).toEqual([]);
    this.steps.push({
      mcSeqno: made.chain.masterchain.block.seqno,
      blocks: made.blocks.map(({ boc }) => boc),
    });
    const transactions = made.blocks.flatMap(({ boc }) => loadTransactions(readSourceBlock(boc, 'test')));
    return {
      ...made,
      transactions: transactions.filter(({ description }) => description.kind === 'ord'),
      unexecuted: made.blocks.flatMap(({ unexecuted }) => unexecuted),
    };
  }

  /** The same chain after a restart, from its first snapshot and its blocks, with no TVM at hand. */
  restarted(): LocalChain {
    return this.open(small, restoreChain(this.saved, this.steps));
  }

  private open(emulator: Emulator, chain: LocalChain['chain']): LocalChain {
    return new LocalChain({ chain, emulator, seed: SEED, targetShards: targetShards(1), limit: 400 });
  }
}

const at = (transactions: readonly Transaction[], { address }: GenesisContract) =>
  transactions.filter(({ accountAddr }) => Buffer.from(accountAddr).equals(address.address));

describe('external messages', () => {
  it('of any depth that a node takes are executed', () => {
    const chain = new Chain(roomy);
    const body = deepCell(440);
    const absent = { workchain: 0, address: new Uint8Array(32).fill(9) };
    const sent = (to: GenesisContract['address'], cell = body) =>
      chain.send(externalMessage(to, { ref: cell }), to);
    expect(sent(absent)).toMatchObject({ ok: false, problem: 'refused' });
    expect(sent(wallets[0]!.address)).toMatchObject({ ok: false, problem: 'refused' });
    expect(sent(faucet.address)).toMatchObject({ ok: false, problem: 'refused' });
    expect(sent(accepting.address)).toMatchObject({ ok: true });
    expect(sent(accepting.address, deepCell(511))).toMatchObject({ ok: true });
    expect(sent(accepting.address, deepCell(512))).toMatchObject({ ok: false, problem: 'size' });
    expect(at(chain.step().transactions, accepting)).toHaveLength(2);
  });

  it('on which the TVM fails are refused with the reason, and the next one is executed', () => {
    const chain = new Chain(small);
    expect(chain.send(message(trapping), trapping.address)).toMatchObject({
      ok: false,
      problem: 'refused',
      detail: expect.stringContaining('TVM emulator'),
    });
    expect(chain.send(message(accepting), accepting.address)).toMatchObject({ ok: true });
    expect(at(chain.step().transactions, accepting)).toHaveLength(1);
  });

  it('are dropped by the step in which the TVM fails on them', () => {
    const chain = new Chain(small);
    const bad = { cell: message(trapping), dest: trapping.address };
    for (const nonce of [1, 2]) {
      chain.local.submit({ cell: message(accepting, nonce), dest: accepting.address });
      if (nonce === 1) chain.local.submit(bad);
    }
    const step = chain.step();
    expect(step.refused.map((refused) => refused.message.cell)).toEqual([bad.cell]);
    expect(step.unexecuted).toMatchObject([
      { kind: 'external', account: trapping.address, message: bad.cell.hash() },
    ]);
    expect(at(step.transactions, accepting)).toHaveLength(2);
    expect(chain.local.pending).toBe(0);
    expect(chain.step().unexecuted).toEqual([]);
  });
});

describe('internal messages on which the TVM fails', () => {
  const paid = (bounce: boolean) => {
    const chain = new Chain(small);
    const transfer = { to: trapping.address, value: 1_000_000_000n, bounce };
    const cell = payoutMessage(payer.address, [transfer], 1);
    chain.local.submit({ cell, dest: payer.address });
    return { chain, step: chain.step() };
  };

  it('have a valid transaction without a compute phase', () => {
    const { step } = paid(false);
    const [transaction] = at(step.transactions, trapping);
    expect(transaction?.description).toMatchObject({
      compute: { kind: 'skipped', reason: 'no_gas' },
      aborted: true,
      bounce: null,
      credit: { credit: { grams: 1_000_000_000n } },
    });
    expect(step.unexecuted).toMatchObject([{ kind: 'internal', account: trapping.address }]);
  });

  it('bounce to the sender if they request it', () => {
    const { step } = paid(true);
    expect(at(step.transactions, trapping)[0]?.description.bounce).toMatchObject({ kind: 'ok' });
    // The transfer and what came back.
    expect(at(step.transactions, payer)).toHaveLength(2);
  });

  it('leave a chain that continues, also after a restart', () => {
    const { chain } = paid(false);
    const restarted = chain.restarted();
    const hashes = ({ chain: { masterchain, shards } }: LocalChain) =>
      [masterchain, ...shards].map(({ state, block }) => [toHex(state.hash()), toHex(block.rootHash)]);
    expect(hashes(restarted)).toEqual(hashes(chain.local));
    for (const local of [chain.local, restarted]) {
      const utime = local.chain.masterchain.utime + 1;
      expect(local.sendCell(message(accepting), accepting.address, utime)).toMatchObject({ ok: true });
      const { blocks } = local.step(utime);
      expect(blocks.map(({ boc }) => validateBlock(boc).violations)).toEqual([[], []]);
    }
  });
});

describe('ticks', () => {
  it('on which the TVM fails have no compute phase', () => {
    const { local } = new Chain(small);
    const { masterchain, shards } = local.chain;
    const entry = shards[0]!.accounts.get(trapping.address.address)!;
    const randomSeed = new Uint8Array(32);
    const { text: config } = local.chain.extra.config;
    small.enter({ config, now: GENESIS_UTIME + 1, randomSeed, prevBlocks: null, libraries: null });
    const run = new TransactionRun(small, masterchain.accounts.set(trapping.address.address, entry));
    const account = { workchain: -1, address: trapping.address.address };
    expect(run.special(account, 'tick', 2_000_000n)).toMatchObject({ accepted: true, gas: 0 });
    expect(run.unexecuted).toMatchObject([{ kind: 'tick', message: null }]);
  });
});

// block_limits#5d bytes:ParamLimits gas:ParamLimits lt_delta:ParamLimits = BlockLimits;
// param_limits#c3 underload:# soft_limit:# hard_limit:# = ParamLimits;
function blockLimits(gas: number): Cell {
  const builder = new CellBuilder().uint(0x5d, 8);
  for (const hard of [1_000_000, gas, 10_000])
    builder
      .uint(0xc3, 8)
      .uint(hard >> 2, 32)
      .uint(hard >> 1, 32)
      .uint(hard, 32);
  return builder.cell();
}

describe('gas of a block', () => {
  it('has the limit of the configuration: what is more waits', () => {
    const chain = new Chain(roomy);
    chain.local.changeConfig(23, blockLimits(2_000_000), GENESIS_UTIME + 1);
    chain.step();
    for (let nonce = 0; nonce < 3; nonce++)
      chain.local.submit({ cell: message(looping, nonce), dest: looping.address });
    // A million of gas each.
    const counts = [chain.step(), chain.step()].map(({ transactions }) => at(transactions, looping).length);
    expect(counts).toEqual([2, 1]);
  }, 300_000);

  it('is bounded for what is foreseen', () => {
    const { local } = new Chain(roomy);
    for (let nonce = 0; nonce < 5; nonce++)
      local.submit({ cell: message(looping, nonce), dest: looping.address });
    const steps = [...local.foresee(() => true, { utime: GENESIS_UTIME + 1, secondsPerStep: 1 })];
    expect(steps.flatMap(({ blocks }) => blocks).reduce((sum, { gas }) => sum + gas, 0)).toBeLessThan(
      4_100_000,
    );
    expect(local.pending).toBe(5);
  }, 300_000);
});

describe('changes of the configuration', () => {
  it('after which no block could be made are refused, and leave the chain unchanged', () => {
    const { local } = new Chain(roomy);
    const utime = GENESIS_UTIME + 1;
    const nothing = new CellBuilder().cell();
    for (const param of [8, 14, 18, 20, 21, 22, 24, 25, 31]) {
      expect(() => local.changeConfig(param, null, utime), `${param} gone`).toThrow();
      expect(() => local.changeConfig(param, nothing, utime), `${param} empty`).toThrow();
    }
    local.changeConfig(71, deepCell(600), utime);
    local.step(utime);
    expect(writeBag(local.chain.extra.config.dict.root()!).length).toBeGreaterThan(600);
    expect(local.sendCell(message(accepting), accepting.address, utime + 1)).toMatchObject({ ok: true });
    local.step(utime + 1);
  });
});
