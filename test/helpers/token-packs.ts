import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { targetShards } from '../../src/localnet/engine/engine-options.ts';
import { LocalChain } from '../../src/localnet/engine/local-chain.ts';
import { makeGenesisRecord } from '../../src/localnet/engine/open-chain.ts';
import { writeStep, ZEROSTATE_FILES } from '../../src/localnet/generate/generate-packs.ts';
import { PackWriter } from '../../src/localnet/generate/pack-writer.ts';
import { genesisWallets } from '../../src/localnet/genesis/genesis-wallets.ts';
import { LOCALNET_GLOBAL_ID } from '../../src/localnet/localnet-source.ts';
import { restoreChain } from '../../src/localnet/state/save-chain.ts';
import { BlockSigner } from '../../src/localnet/validator/block-signer.ts';
import { type Transfer, walletMessage } from '../../src/localnet/wallets/transfer.ts';
import { formatRaw } from '../../src/ton/address/address.ts';
import type { AccountAddress } from '../../src/ton/store/store-address.ts';
import { Emulator } from '../../src/tvm/emulator.ts';
import {
  feeWalletCode,
  otherMinterCode,
  REFUSED,
  sparingWalletCode,
  strictItemCode,
} from './changed-contracts.ts';
import { CustomJetton, CustomNfts } from './custom-tokens.ts';
import type { TokenAccounts } from './token-answers.ts';

const SEED = 'tokens';
const SHARDS = 2;
const GENESIS_UTIME = 1_750_000_000;
const VALID_SECONDS = 100_000;
/** Steps after a message until its last transaction. */
const STEPS_PER_MESSAGE = 5;
/** Transactions of a block at most: a step has far fewer. */
const LIMIT = 1_000;
/** Receivers of each jetton. */
const RECEIVERS = [0x80, 0x81, 0x82];
const NFT_OWNERS = [0x90, 0x91];

const account = (byte: number): AccountAddress => ({ workchain: 0, address: new Uint8Array(32).fill(byte) });
const raw = ({ workchain, address }: AccountAddress) => formatRaw(workchain, address);

/** A chain in packages with jettons and an item under codes that no table knows. */
export interface TokenPacks {
  /** Folder of the packages. */
  readonly directory: string;
  /** Files of the zerostates. */
  readonly states: readonly string[];
  /** The last masterchain block, and the number of all blocks. */
  readonly last: number;
  readonly blocks: number;
  readonly accounts: TokenAccounts;
}

/** Writes the chain into a new folder. The same bytes each time: tokens are deployed, move, and refuse to move. */
export async function makeTokenPacks(directory: string): Promise<TokenPacks> {
  mkdirSync(directory, { recursive: true });
  const globalId = LOCALNET_GLOBAL_ID;
  const genesis = { seed: SEED, shards: SHARDS, globalId, utime: GENESIS_UTIME };
  const { zerostates, start } = makeGenesisRecord(genesis, []);
  const states = ZEROSTATE_FILES.map((name) => join(directory, name));
  for (const [index, file] of states.entries()) writeFileSync(file, zerostates[index]!);
  const local = new LocalChain({
    chain: restoreChain(start, []),
    emulator: await Emulator.create(),
    seed: SEED,
    targetShards: targetShards(SHARDS),
    limit: LIMIT,
  });
  const output = { writer: new PackWriter(directory), signer: new BlockSigner(SEED, 'ordinary') };
  const owner = genesisWallets(SEED, globalId).wallets.find(({ version }) => version === 'v4r2')!;
  const { orders, accounts } = await plan(owner.address);
  let blocks = 0;
  try {
    for (const [seqno, transfers] of orders.entries()) {
      const validUntil = GENESIS_UTIME + VALID_SECONDS;
      local.submit({ cell: walletMessage(owner, transfers, { seqno, validUntil }), dest: owner.address });
      for (let steps = 0; steps < STEPS_PER_MESSAGE || local.isBusy; steps++) {
        const { refused, blocks: made } = writeStep(local, local.chain.masterchain.utime + 1, output);
        blocks += made.length;
        if (refused[0]) throw new Error(`message ${seqno} was refused: ${JSON.stringify(refused[0].reason)}`);
      }
    }
  } finally {
    output.writer.close();
  }
  return { directory, states, last: local.chain.masterchain.block.seqno, blocks, accounts };
}

/** Messages of the owner, each with its transfers; and the accounts that take part. */
async function plan(owner: AccountAddress) {
  const [fee, sparing, minterCode, item] = await Promise.all([
    feeWalletCode(),
    sparingWalletCode(),
    otherMinterCode(),
    strictItemCode(),
  ]);
  const jettons = [{ walletCode: fee }, { walletCode: sparing }, { minterCode }].map(
    (codes) => new CustomJetton(owner, codes),
  );
  const nfts = new CustomNfts(owner, item);
  const orders: (readonly Transfer[])[] = [
    [...jettons.map((jetton) => jetton.mint(100_000n)), nfts.mint()],
    // Wallets receive again after they were detected, or while they are.
    ...[...RECEIVERS, RECEIVERS[0]!].map((byte) =>
      jettons.map((jetton) => jetton.transfer(1_000n, { to: account(byte) })),
    ),
    [...jettons.slice(0, 2).map((jetton) => jetton.transfer(REFUSED, { to: account(RECEIVERS[1]!) }))],
    [nfts.transfer({ to: account(NFT_OWNERS[1]!), queryId: REFUSED })],
    [
      nfts.transfer({ to: account(NFT_OWNERS[0]!) }),
      jettons[0]!.transfer(7n, { to: account(NFT_OWNERS[0]!) }),
    ],
  ];
  const accounts = {
    owners: [owner, account(RECEIVERS[0]!), account(NFT_OWNERS[0]!)].map(raw),
    masters: jettons.map(({ minter }) => raw(minter.address)),
    collections: [raw(nfts.collection.address)],
  };
  return { orders, accounts };
}
