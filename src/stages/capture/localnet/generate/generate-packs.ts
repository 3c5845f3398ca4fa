import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import { Emulator } from '../../../../ton/tvm/emulator.ts';
import { targetShards } from '../engine/engine-options.ts';
import { LocalChain } from '../engine/local-chain.ts';
import { makeGenesisRecord } from '../engine/open-chain.ts';
import { genesisTokens } from '../genesis/genesis-contracts.ts';
import { genesisWallets } from '../genesis/genesis-wallets.ts';
import { LOCALNET_GLOBAL_ID } from '../localnet-source.ts';
import { restoreChain } from '../state/save-chain.ts';
import { Traffic } from '../traffic/traffic.ts';
import { trafficKinds } from '../traffic/traffic-kinds.ts';
import { PackWriter } from './pack-writer.ts';

export interface GenerateOptions {
  /** A folder that is empty, or not there yet. */
  readonly directory: string;
  /** At least so many, ticks and tocks not counted among them. */
  readonly transactions: number;
  readonly seed: string;
  /** Shards of the basechain, 1 to 4. */
  readonly shards: number;
  /** Transactions of a masterchain step. Default 400. */
  readonly perStep?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Generated) => void;
}

/** What was written. */
export interface Generated {
  /** All of them, ticks and tocks too. */
  readonly transactions: number;
  readonly blocks: number;
  /** The last masterchain block. */
  readonly mcSeqno: number;
  readonly bytes: number;
}

/** What is generated would be mixed with what is there. */
export class FolderNotEmptyError extends Error {
  override readonly name = 'FolderNotEmptyError';
  readonly directory: string;

  constructor(directory: string) {
    super(`${directory} is not empty: blocks are generated into a folder of their own`);
    this.directory = directory;
  }
}

const PER_STEP = 400;
/** A block has room for this many; what the traffic's messages cause comes on top. */
const ROOM = 4;
/** Always the same, so that the same options give the same blocks. */
const GENESIS_UTIME = 1_750_000_000;
const SECONDS_PER_STEP = 1;
/** Ticks and tocks of a masterchain block: the elector's, and the configuration's tock. */
const SPECIALS = 3;

/** Names of the zerostates' files beside the packages. */
export const ZEROSTATE_FILES = ['zerostate_-1.boc', 'zerostate_0.boc'] as const;

/**
 * Writes a local chain under traffic into packages: each transaction executed by the TVM, each block valid. The same
 * options give the same bytes. It ends early, in order, where the signal aborts.
 * @throws FolderNotEmptyError, ShardCountError
 */
export async function generatePacks(options: GenerateOptions): Promise<Generated> {
  const { directory, signal, onProgress } = options;
  mkdirSync(directory, { recursive: true });
  if (readdirSync(directory).length > 0) throw new FolderNotEmptyError(directory);
  const { local, traffic, zerostates } = await openGenerator(options);
  for (const [index, name] of ZEROSTATE_FILES.entries())
    writeFileSync(join(directory, name), zerostates[index]!);
  const writer = new PackWriter(directory);
  let done: Generated = { transactions: 0, blocks: 0, mcSeqno: 0, bytes: 0 };
  let own = 0;
  try {
    while (!signal?.aborted && (own < options.transactions || local.isBusy)) {
      const left = options.transactions - own;
      const wanted = left > 0 ? Math.min(options.perStep ?? PER_STEP, left) : 0;
      const { transactions, blocks } = makeStep(local, traffic, wanted, writer);
      own += transactions - SPECIALS;
      const { seqno } = local.chain.masterchain.block;
      done = {
        transactions: done.transactions + transactions,
        blocks: done.blocks + blocks,
        mcSeqno: seqno,
        bytes: writer.bytes,
      };
      onProgress?.(done);
      // Signals and timers have their turn between two steps.
      await yieldToEvents();
    }
  } finally {
    writer.close();
  }
  return done;
}

async function openGenerator({ seed, shards, perStep = PER_STEP }: GenerateOptions) {
  const globalId = LOCALNET_GLOBAL_ID;
  const target = targetShards(shards);
  const { zerostates, start } = makeGenesisRecord({ seed, shards, globalId, utime: GENESIS_UTIME });
  const emulator = await Emulator.create();
  const chain = restoreChain(start, []);
  const local = new LocalChain({ chain, emulator, seed, targetShards: target, limit: perStep * ROOM });
  const { faucet, traffic: wallets } = genesisWallets(seed, globalId);
  const kinds = trafficKinds(genesisTokens({ seed, globalId, faucet: faucet.address }));
  return { local, traffic: new Traffic(seed, wallets, kinds), zerostates };
}

function makeStep(local: LocalChain, traffic: Traffic, wanted: number, writer: PackWriter) {
  const utime = local.chain.masterchain.utime + SECONDS_PER_STEP;
  for (const message of traffic.messages(wanted, utime, (address) => local.account(address, false)))
    local.submit(message);
  const { blocks, refused } = local.step(utime);
  if (refused.length > 0) traffic.forget();
  const { seqno } = local.chain.masterchain.block;
  writer.step(
    seqno,
    blocks.map(({ boc, ledger: { ident, block } }) => ({ id: { ...ident, ...block }, boc })),
  );
  return { transactions: blocks.reduce((sum, block) => sum + block.transactions, 0), blocks: blocks.length };
}
