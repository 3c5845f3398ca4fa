import { sameBytes } from '../../capture/block-id.ts';
import { DataError } from '../../platform/errors/error-kinds.ts';
import { makeGenesis } from '../genesis/genesis.ts';
import type { GenesisContract } from '../genesis/genesis-account.ts';
import { genesisContracts } from '../genesis/genesis-contracts.ts';
import { genesisWallets, throwingContract, walletContracts } from '../genesis/genesis-wallets.ts';
import type { ChainState } from '../ledger/chain-state.ts';
import { restoreChain, saveChain } from '../state/save-chain.ts';
import type { Snapshot, StateFiles } from '../state/state-files.ts';
import { genesisValidators, validatorKey } from '../validator/validator-rounds.ts';
import { type EngineOptions, splitDepth } from './engine-options.ts';

/** Options that a chain was begun with; never changed afterwards. */
export interface GenesisRecord {
  readonly seed: string;
  readonly shards: number;
  readonly globalId: number;
  readonly utime: number;
  /** Masterchain, basechain. */
  readonly zerostates: readonly [Uint8Array, Uint8Array];
  readonly start: Snapshot;
}

/** The state folder belongs to another chain, or does not reach the end of the log. */
export class LocalnetStateError extends DataError {
  readonly directory: string;
  readonly expected: string;
  readonly found: string;

  constructor(directory: string, what: string, expected: string, found: string) {
    super(`localnet state in ${directory}: ${what}: expected ${expected}, found ${found}`);
    this.directory = directory;
    this.expected = expected;
    this.found = found;
  }
}

const GENESIS = 'genesis.bin';

/** The genesis of the folder, created if missing. @throws LocalnetStateError it was created with other options */
export async function openGenesis(files: StateFiles, options: EngineOptions): Promise<GenesisRecord> {
  const known = files.readValue(GENESIS) as GenesisRecord | null;
  if (known === null) return createGenesis(files, options);
  for (const field of ['seed', 'shards', 'globalId'] as const) {
    if (known[field] !== options[field])
      throw new LocalnetStateError(options.directory, field, `${known[field]}`, `${options[field]}`);
  }
  return known;
}

async function createGenesis(
  files: StateFiles,
  { seed, shards, globalId, genesisUtime }: EngineOptions,
): Promise<GenesisRecord> {
  const utime = genesisUtime ?? Math.floor(Date.now() / 1000);
  const record = makeGenesisRecord({ seed, shards, globalId, utime });
  await files.writeValue(GENESIS, record);
  return record;
}

/** The genesis of a chain: the same facts and further contracts give the same zerostates. */
export function makeGenesisRecord(
  facts: Pick<GenesisRecord, 'seed' | 'shards' | 'globalId' | 'utime'>,
  further: readonly GenesisContract[] = [],
): GenesisRecord {
  const { seed, shards, globalId, utime } = facts;
  const wallets = genesisWallets(seed, globalId);
  const { contracts, params } = genesisContracts({ seed, globalId, utime, faucet: wallets.faucet.address });
  const { chain, zerostates } = makeGenesis({
    globalId,
    utime,
    splits: splitDepth(shards),
    contracts: [...walletContracts(wallets), throwingContract(), ...contracts, ...further],
    params,
    validators: genesisValidators(validatorKey(seed), utime),
  });
  return { seed, shards, globalId, utime, zerostates, start: saveChain(chain) };
}

/** Tip of the log. */
export interface LogEnd {
  readonly mcSeqno: number;
  readonly rootHash: Uint8Array;
}

/**
 * The chain at the end of the log. The log is the truth: local steps that never reached it are dropped. If the log ends
 * after the local steps, the chain cannot continue.
 * @throws LocalnetStateError
 */
export function chainAt(
  files: StateFiles,
  genesis: GenesisRecord,
  end: LogEnd,
  directory: string,
): ChainState {
  const snapshots = files.snapshots().filter((seqno) => seqno <= end.mcSeqno);
  const newest = snapshots.at(-1);
  const snapshot = (newest === undefined ? null : files.readSnapshot(newest)) ?? genesis.start;
  const steps = files.readSteps(snapshot.mcSeqno, end.mcSeqno);
  const last = steps.at(-1)?.mcSeqno ?? snapshot.mcSeqno;
  if (last !== end.mcSeqno || steps.length !== end.mcSeqno - snapshot.mcSeqno)
    throw new LocalnetStateError(directory, 'masterchain steps', `up to ${end.mcSeqno}`, `up to ${last}`);
  const chain = restoreChain(snapshot, steps);
  const { rootHash } = chain.masterchain.block;
  if (!sameBytes(rootHash, end.rootHash))
    throw new LocalnetStateError(
      directory,
      `masterchain block ${end.mcSeqno}`,
      end.rootHash.toHex(),
      rootHash.toHex(),
    );
  return chain;
}
