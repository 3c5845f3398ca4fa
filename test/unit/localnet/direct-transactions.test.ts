import { beforeAll, describe, expect, it } from 'vitest';
import { payerContract, payoutMessage } from '../../../src/localnet/collate/direct/payer.ts';
import type { ExternalMessage } from '../../../src/localnet/collate/external-message.ts';
import { targetShards } from '../../../src/localnet/engine/engine-options.ts';
import { LocalChain } from '../../../src/localnet/engine/local-chain.ts';
import { makeGenesisRecord } from '../../../src/localnet/engine/open-chain.ts';
import { Payouts } from '../../../src/localnet/generate/payouts.ts';
import { genesisWallets } from '../../../src/localnet/genesis/genesis-wallets.ts';
import { LOCALNET_GLOBAL_ID } from '../../../src/localnet/localnet-source.ts';
import { restoreChain } from '../../../src/localnet/state/save-chain.ts';
import type { Transfer } from '../../../src/localnet/wallets/transfer.ts';
import { commentBody } from '../../../src/ton/messages/text-comment.ts';
import { Emulator } from '../../../src/tvm/emulator.ts';
import { validateBlock } from '../../helpers/validate/validate-block.ts';
import { GENESIS_UTIME } from './engine-test-options.ts';

const SEED = 'direct';
const PAYERS = [0, 1, 2].map((number) => payerContract(number));
const BLOCKS_OF_SPLITS = 2;

let emulator: Emulator;
beforeAll(async () => {
  emulator = await Emulator.create();
});

function openChain(isDirect: boolean, shards: number): LocalChain {
  const facts = { seed: SEED, shards, globalId: LOCALNET_GLOBAL_ID, utime: GENESIS_UTIME };
  const chain = restoreChain(makeGenesisRecord(facts, PAYERS).start, []);
  return new LocalChain({
    chain,
    emulator,
    seed: SEED,
    targetShards: targetShards(shards),
    limit: 400,
    isDirect,
  });
}

/** Makes the same steps with and without the TVM, at these times; resolves with the transactions of all blocks. */
function compareSteps(
  shards: number,
  steps: readonly (readonly [number, readonly ExternalMessage[]])[],
): number {
  const [direct, executed] = [openChain(true, shards), openChain(false, shards)];
  let transactions = 0;
  for (const [seconds, messages] of steps) {
    for (const chain of [direct, executed]) for (const message of messages) chain.submit(message);
    const utime = GENESIS_UTIME + seconds;
    const [made, expected] = [direct.step(utime), executed.step(utime)];
    expect(made.refused).toEqual([]);
    expect(made.blocks).toHaveLength(expected.blocks.length);
    for (const [i, { boc, ...block }] of made.blocks.entries()) {
      expect(Buffer.from(boc).equals(expected.blocks[i]!.boc)).toBe(true);
      expect(validateBlock(boc).violations).toEqual([]);
      transactions += block.transactions;
    }
  }
  return transactions;
}

const idle = Array.from({ length: BLOCKS_OF_SPLITS }, (_, i) => [i + 1, []] as const);

describe('transactions that need no TVM', () => {
  it('are bit for bit those of the TVM', () => {
    const payouts = new Payouts(
      SEED,
      PAYERS.map(({ address }) => address),
    );
    const steps = [10, 11, 11, 4_000_000].map((seconds) => [seconds, payouts.messages(70)] as const);
    expect(compareSteps(1, steps)).toBeGreaterThan(280);
  });

  it('come through queues of shards as they do with the TVM', () => {
    const payouts = new Payouts(
      SEED,
      PAYERS.map(({ address }) => address),
    );
    const sent = [10, 11].map((seconds) => [seconds, payouts.messages(40)] as const);
    expect(compareSteps(2, [...idle, ...sent, [12, []], [13, []]])).toBeGreaterThan(80);
  });

  it('are left to the TVM if they do more than move coins', () => {
    const payer = PAYERS[0]!.address;
    const empty = { workchain: 0, address: new Uint8Array(32).fill(0xee) };
    const wallet = genesisWallets(SEED, LOCALNET_GLOBAL_ID).wallets[0]!;
    const plain = { value: 5_000_000n, bounce: false };
    const sets: readonly (readonly Transfer[])[] = [
      // The same account twice in a block, and twice the same message but for its lt.
      [
        { to: empty, ...plain },
        { to: empty, ...plain },
      ],
      // Bounced by an account without code: the payer gets it back, and its code is not made for that.
      [{ to: { workchain: 0, address: new Uint8Array(32).fill(0xdd) }, value: 50_000_000n, bounce: true }],
      [{ to: wallet.address, ...plain, body: commentBody('with a comment') }],
      [{ to: payer, ...plain }],
      [{ to: { workchain: -1, address: empty.address }, ...plain }],
      // Deploys what was only paid before.
      [{ to: wallet.address, ...plain, stateInit: { code: wallet.code, data: wallet.data } }],
      [{ to: empty, value: 0n, bounce: false }],
      [{ to: empty, value: 10n ** 18n, bounce: false }],
    ];
    const messages = sets.map((transfers, nonce) => ({
      cell: payoutMessage(payer, transfers, nonce),
      dest: payer,
      transfers,
    }));
    expect(
      compareSteps(1, [
        [10, messages],
        [20, messages.slice(0, 1)],
        [30, []],
      ]),
    ).toBeGreaterThan(16);
  });
});
