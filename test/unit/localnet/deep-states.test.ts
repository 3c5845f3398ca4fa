import { expect, it } from 'vitest';
import { readSourceBlock } from '../../../src/capture/read-block.ts';
import { payerContract, payoutMessage } from '../../../src/localnet/collate/direct/payer.ts';
import { viewChain } from '../../../src/localnet/engine/chain-view.ts';
import type { Engine, EngineStep } from '../../../src/localnet/engine/engine.ts';
import { targetShards } from '../../../src/localnet/engine/engine-options.ts';
import { LocalChain } from '../../../src/localnet/engine/local-chain.ts';
import { makeGenesisRecord } from '../../../src/localnet/engine/open-chain.ts';
import { LOCALNET_GLOBAL_ID } from '../../../src/localnet/localnet-source.ts';
import { restoreChain, saveChain } from '../../../src/localnet/state/save-chain.ts';
import { CellBuilder } from '../../../src/ton/cell/cell-builder.ts';
import { readCell } from '../../../src/ton/cell/cells-of-bag.ts';
import { writeBag } from '../../../src/ton/cell/write-bag.ts';
import { decodeBlock } from '../../../src/ton/decode/decode-block.ts';
import { Kernel } from '../../../src/ton/kernel/kernel.ts';
import { externalMessage } from '../../../src/ton/messages/external-message.ts';
import { stateInitCell } from '../../../src/ton/store/store-state-init.ts';
import { Emulator } from '../../../src/tvm/emulator.ts';
import { outcomeOf } from '../../e2e/kernel-digests.ts';
import { validateBlock } from '../../helpers/validate/validate-block.ts';
import { accepting, deepCell, growing } from './deep-cells.ts';
import { GENESIS_UTIME } from './engine-test-options.ts';
import { makeSteps, openEngine, temporaryFolder } from './local-engine.ts';
import { loadTransactions } from './read-transactions.ts';

const SEED = 'deep';
/** A contract may keep no more (`max_vm_data_depth`). */
const MAX_DATA = 512;
const MESSAGES = 12;
const deep = growing(MAX_DATA - MESSAGES / 2);
const payer = payerContract(1);

it('states and messages as deep as a contract can make them go through blocks, readers and files', async () => {
  const [emulator, kernel] = [await Emulator.create(), await Kernel.load()];
  const facts = { seed: SEED, shards: 1, globalId: LOCALNET_GLOBAL_ID, utime: GENESIS_UTIME };
  const { start } = makeGenesisRecord(facts, [deep, payer, accepting]);
  const chain = restoreChain(start, []);
  const local = new LocalChain({ chain, emulator, seed: SEED, targetShards: targetShards(1), limit: 400 });
  const steps: { mcSeqno: number; blocks: Uint8Array[] }[] = [];
  const outcomes: unknown[] = [];
  for (let i = 0; i < MESSAGES; i++) {
    const utime = GENESIS_UTIME + 1 + i;
    const message = externalMessage(deep.address, { ref: new CellBuilder().uint(i, 16).cell() });
    expect(local.sendCell(message, deep.address, utime)).toMatchObject({ ok: true });
    // An internal message as deep as an external one can bring it along.
    const transfer = { to: accepting.address, value: 1_000_000_000n, bounce: false, body: deepCell(500, i) };
    const payment = payoutMessage(payer.address, [transfer], i);
    expect(local.sendCell(payment, payer.address, utime)).toMatchObject({ ok: true });
    const { blocks, chain: after } = local.step(utime);
    for (const { boc, ledger } of blocks) {
      const { rootHash, fileHash, seqno } = ledger.block;
      const { workchain, shard } = ledger.ident;
      const mcSeqno = after.masterchain.block.seqno;
      const meta = { workchain, shard, seqno, rootHash, fileHash, mcSeqno };
      expect(validateBlock(boc).violations).toEqual([]);
      const options = { verify: 'root', oldStatesBelowLt: 1n << 63n } as const;
      const expected = outcomeOf(decodeBlock, boc, meta, options);
      expect(expected).toHaveProperty('counts');
      expect(outcomeOf((...all) => kernel.decodeBlock(...all), boc, meta, options)).toEqual(expected);
      const transactions = loadTransactions(readSourceBlock(boc, 'test'));
      for (const { accountAddr, description } of transactions) {
        const { compute } = description;
        if (Buffer.from(accountAddr).equals(deep.address.address))
          outcomes.push(compute?.kind === 'vm' ? compute.exitCode : compute);
        if (Buffer.from(accountAddr).equals(accepting.address.address))
          expect(compute).toMatchObject({ exitCode: 0 });
      }
    }
    steps.push({ mcSeqno: after.masterchain.block.seqno, blocks: blocks.map(({ boc }) => boc) });
  }
  // As long as its data are not too deep; then a cell overflow, by the rules of the TVM itself.
  expect(outcomes).toEqual(Array.from({ length: MESSAGES }, (_, i) => (i < MESSAGES / 2 ? 0 : 8)));
  const dataOf = ({ chain: state }: { chain: LocalChain['chain'] }) =>
    readCell(Buffer.from(viewChain(state, deep.address).shardAccount!, 'base64')).refs[0]!.refs[1]!;
  expect(dataOf(local).depth()).toBe(MAX_DATA);
  const states = ({ masterchain, shards }: LocalChain['chain']) =>
    [masterchain, ...shards].map(({ state }) => Buffer.from(state.hash()).toString('hex'));
  for (const restored of [restoreChain(start, steps), restoreChain(saveChain(local.chain), [])])
    expect(states(restored)).toEqual(states(local.chain));
}, 300_000);

it('an engine with a deep contract continues at the end of its log', async () => {
  const directory = await temporaryFolder();
  const contract = growing(440);
  const init = stateInitCell(contract.code, contract.data);
  const send = (engine: Engine, salt: number) =>
    engine.send(writeBag(externalMessage(contract.address, { ref: deepCell(440, salt) }, init)));
  const engine = await openEngine({ directory });
  await engine.resume(null);
  await makeSteps(engine, 2);
  expect(send(engine, 0)).toMatchObject({ ok: false, problem: 'refused' });
  engine.fund(contract.address, 5_000_000_000n, '');
  await makeSteps(engine, 2);
  expect(send(engine, 0)).toMatchObject({ ok: true });
  expect(engine.pending(0).blocks).toHaveLength(2);
  const [{ mcSeqno, blocks }] = (await makeSteps(engine, 1)) as [EngineStep];
  await engine.close();
  const again = await openEngine({ directory });
  await again.resume({ mcSeqno, rootHash: blocks.at(-1)!.id.rootHash });
  expect(send(again, 1)).toMatchObject({ ok: true });
  await makeSteps(again, 1);
  const { shardAccount } = again.view(contract.address, null)!;
  expect(shardAccount).toBe(again.account(contract.address).shardAccount);
  expect(readCell(Buffer.from(shardAccount!, 'base64')).refs[0]!.refs[1]!.depth()).toBe(442);
}, 300_000);
