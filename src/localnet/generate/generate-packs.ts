import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import { isMasterchain } from '../../capture/block-id.ts';
import { UsageError } from '../../platform/errors/error-kinds.ts';
import { buildBlockProof } from '../../ton/proofs/build-block-proof.ts';
import { Emulator, type RefusedMessage } from '../../tvm/emulator.ts';
import type { CollatedStep } from '../collate/collate-step.ts';
import { payerContract } from '../collate/direct/payer.ts';
import { targetShards } from '../engine/engine-options.ts';
import { LocalChain } from '../engine/local-chain.ts';
import { makeGenesisRecord } from '../engine/open-chain.ts';
import { genesisTokens } from '../genesis/genesis-contracts.ts';
import { genesisWallets } from '../genesis/genesis-wallets.ts';
import { LocalnetError } from '../localnet-error.ts';
import { LOCALNET_GLOBAL_ID } from '../localnet-source.ts';
import { restoreChain } from '../state/save-chain.ts';
import { Traffic } from '../traffic/traffic.ts';
import { trafficKinds } from '../traffic/traffic-kinds.ts';
import { BlockSigner, type SignatureForm } from '../validator/block-signer.ts';
import { nextGroup } from '../validator/validator-group.ts';
import { PackWriter } from './pack-writer.ts';
import { Payouts, TRANSFERS } from './payouts.ts';

export interface GenerateOptions {
  /** A folder that is empty, or not there yet. */
  readonly directory: string;
  /** Least number of transactions, ticks and tocks not counted. */
  readonly transactions: number;
  readonly seed: string;
  /** Shards of the basechain, 1 to 4. */
  readonly shards: number;
  /** Form of the signatures of masterchain blocks. Default `ordinary`. */
  readonly signatures?: SignatureForm;
  /** Payouts to accounts without code, which need no TVM, instead of mixed traffic. Default false. */
  readonly synthetic?: boolean;
  /** Transactions of a masterchain step. Default 400; of payouts 1,536. */
  readonly perStep?: number;
  /** Time between two blocks. Default 1; above 65,536 every block is a key block. */
  readonly secondsPerStep?: number;
  /** Each shard makes a block in each step, also without transactions. Default false. */
  readonly everyShard?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Generated) => void;
}

/** Result of the generation. */
export interface Generated {
  /** All of them, ticks and tocks too. */
  readonly transactions: number;
  readonly blocks: number;
  /** The last masterchain block. */
  readonly mcSeqno: number;
  readonly bytes: number;
}

/** The folder has files already: the generated ones would be mixed with them. */
export class FolderNotEmptyError extends UsageError {
  readonly directory: string;

  constructor(directory: string) {
    super(`${directory} is not empty: blocks are generated into a folder of their own`);
    this.directory = directory;
  }
}

const PER_STEP = 400;
const PAYOUTS_PER_STEP = 6 * (TRANSFERS + 1);
const PAYERS = 16;
/** A block has room for this many; what the traffic's messages cause comes on top. */
const ROOM = 4;
/** Always the same, so that the same options give the same blocks. */
const GENESIS_UTIME = 1_750_000_000;
const SECONDS_PER_STEP = 1;
/** Ticks and tocks of a masterchain block: the elector's, and the configuration's tock. */
const SPECIALS = 3;

/** Names of the zerostate files next to the packages. */
export const ZEROSTATE_FILES = ['zerostate_-1.boc', 'zerostate_0.boc'] as const;

/**
 * Writes a local chain with traffic to packages: each transaction equals the node's executor, each block is valid. The
 * same options give the same bytes. It ends early and in order if the signal aborts.
 * @throws FolderNotEmptyError, ShardCountError, LocalnetError payers have no balance left
 */
export async function generatePacks(options: GenerateOptions): Promise<Generated> {
  const { directory, signal, onProgress } = options;
  mkdirSync(directory, { recursive: true });
  if (readdirSync(directory).length > 0) throw new FolderNotEmptyError(directory);
  const { local, traffic, zerostates, perStep, secondsPerStep } = await openGenerator(options);
  for (const [index, name] of ZEROSTATE_FILES.entries())
    writeFileSync(join(directory, name), zerostates[index]!);
  const writer = new PackWriter(directory);
  const signer = new BlockSigner(options.seed, options.signatures ?? 'ordinary');
  let done: Generated = { transactions: 0, blocks: 0, mcSeqno: 0, bytes: 0 };
  let own = 0;
  try {
    while (!signal?.aborted && (own < options.transactions || local.isBusy)) {
      const left = options.transactions - own;
      const wanted = left > 0 ? Math.min(perStep, left) : 0;
      const { transactions, blocks } = makeStep(local, traffic, wanted, { writer, signer, secondsPerStep });
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

async function openGenerator(options: GenerateOptions) {
  const { seed, shards, synthetic = false, everyShard = false } = options;
  const perStep = options.perStep ?? (synthetic ? PAYOUTS_PER_STEP : PER_STEP);
  const globalId = LOCALNET_GLOBAL_ID;
  const target = targetShards(shards);
  const payers = synthetic ? Array.from({ length: PAYERS }, (_, number) => payerContract(number)) : [];
  const { zerostates, start } = makeGenesisRecord({ seed, shards, globalId, utime: GENESIS_UTIME }, payers);
  const emulator = await Emulator.create();
  const local = new LocalChain({
    chain: restoreChain(start, []),
    emulator,
    seed,
    targetShards: target,
    limit: perStep * ROOM,
    isDirect: synthetic,
    everyShard,
  });
  const { faucet, traffic: wallets } = genesisWallets(seed, globalId);
  const traffic = synthetic
    ? new Payouts(
        seed,
        payers.map(({ address }) => address),
      )
    : new Traffic(seed, wallets, trafficKinds(genesisTokens({ seed, globalId, faucet: faucet.address })));
  return { local, traffic, zerostates, perStep, secondsPerStep: options.secondsPerStep ?? SECONDS_PER_STEP };
}

/** A wallet may refuse a message that is late or repeated; a payer refuses only without balance. */
function mustForget(traffic: Traffic | Payouts, { error }: RefusedMessage): void {
  if (traffic instanceof Payouts) throw new LocalnetError('a payer', 'to pay', error);
  traffic.forget();
}

/** Where blocks are written, and the validator that signs them. */
interface PackOutput {
  readonly writer: PackWriter;
  readonly signer: BlockSigner;
}

function makeStep(
  local: LocalChain,
  traffic: Traffic | Payouts,
  wanted: number,
  { secondsPerStep, ...output }: PackOutput & { readonly secondsPerStep: number },
) {
  const utime = local.chain.masterchain.utime + secondsPerStep;
  for (const message of traffic.messages(wanted, utime, (address) => local.account(address, false)))
    local.submit(message);
  const { blocks, refused } = writeStep(local, utime, output);
  if (refused[0]) mustForget(traffic, refused[0].reason);
  return { transactions: blocks.reduce((sum, block) => sum + block.transactions, 0), blocks: blocks.length };
}

/** Makes the next step of a chain, and writes its blocks with their proofs and signatures. */
export function writeStep(local: LocalChain, utime: number, { writer, signer }: PackOutput): CollatedStep {
  const { config, validatorInfo } = local.chain.extra;
  const group = nextGroup(config.validators, validatorInfo)!;
  const step = local.step(utime);
  writer.step(
    local.chain.masterchain.block.seqno,
    step.blocks.map(({ root, boc, ledger: { ident, block } }) => {
      const id = { ...ident, ...block };
      const signatures = isMasterchain(id) ? signer.sign({ ...id, ...group }) : null;
      return { id, boc, proof: buildBlockProof(root, id, signatures) };
    }),
  );
  return step;
}
