import { sameBytes } from '../../capture/block-id.ts';
import { DataError } from '../../platform/errors/error-kinds.ts';
import { toHex } from '../../ton/hash/hex.ts';
import { toAccountName } from '../../ton/store/store-address.ts';
import { Emulator } from '../../tvm/emulator.ts';
import { type Fork, NO_FORK, type ReadFork } from '../fork/fork.ts';
import { readOriginParams } from '../fork/fork-config.ts';
import { ForkError } from '../fork/fork-error.ts';
import { type OwnAccounts, readFork } from '../fork/read-fork.ts';
import { libraryPublisher } from '../genesis/forked-accounts.ts';
import { makeGenesis } from '../genesis/genesis.ts';
import type { GenesisContract } from '../genesis/genesis-account.ts';
import { CONFIG_ADDRESS, ELECTOR_ADDRESS } from '../genesis/genesis-config.ts';
import { genesisContracts } from '../genesis/genesis-contracts.ts';
import { genesisWallets, throwingContract, walletContracts } from '../genesis/genesis-wallets.ts';
import type { ChainState } from '../ledger/chain-state.ts';
import { restoreChain, saveChain } from '../state/save-chain.ts';
import type { Snapshot, StateFiles } from '../state/state-files.ts';
import { genesisValidators, validatorKey } from '../validator/validator-rounds.ts';
import { checkConfig } from './check-config.ts';
import { type EngineOptions, type EngineOrigin, splitDepth } from './engine-options.ts';

/** Options that a chain was begun with; never changed afterwards. */
export interface GenesisRecord {
  readonly seed: string;
  readonly shards: number;
  readonly globalId: number;
  readonly utime: number;
  /** Masterchain, basechain. */
  readonly zerostates: readonly [Uint8Array, Uint8Array];
  readonly start: Snapshot;
  /** Identity of the forked content (`ReadFork.hash`); absent for none. */
  readonly fork?: string;
  /** True if accounts of another network are loaded when they are needed. Absent: false. */
  readonly hasOrigin?: boolean;
}

/** The genesis, and the fork that was given now; null for none. */
export interface OpenGenesis {
  readonly genesis: GenesisRecord;
  readonly fork: ReadFork | null;
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

/** File of the genesis in the folder of a chain. */
export const GENESIS = 'genesis.bin';

/**
 * Opens the genesis of the folder; creates it if missing. The record has the forked states: a later start needs no `--fork`.
 * @throws LocalnetStateError it was created with other options; ForkError
 */
export async function openGenesis(files: StateFiles, options: EngineOptions): Promise<OpenGenesis> {
  const known = files.readValue(GENESIS) as GenesisRecord | null;
  if (known === null) return createGenesis(files, options);
  for (const field of ['seed', 'shards', 'globalId'] as const) {
    if (known[field] !== options[field])
      throw new LocalnetStateError(options.directory, field, `${known[field]}`, `${options[field]}`);
  }
  if (known.hasOrigin && !options.origin)
    throw new LocalnetStateError(options.directory, 'origin of the fork', 'the folder `origin`', 'none');
  const fork = await readGivenFork(known, options);
  if (fork && fork.hash !== known.fork) {
    const what = 'content of --fork, which is fixed when a chain begins';
    const expected = known.fork ?? 'none, the chain began without --fork';
    throw new LocalnetStateError(options.directory, what, expected, fork.hash);
  }
  return { genesis: known, fork };
}

async function createGenesis(files: StateFiles, options: EngineOptions): Promise<OpenGenesis> {
  const { seed, shards, globalId, genesisUtime } = options;
  const facts = { seed, shards, globalId, utime: genesisUtime ?? Math.floor(Date.now() / 1000) };
  const fork = await readGivenFork(facts, options);
  const made = makeGenesisRecord(facts, [], fork ?? NO_FORK);
  if (fork && fork.params.length > 0) await checkForkedConfig(made);
  const origin = options.origin && { hasOrigin: true };
  const genesis = fork ? { ...made, fork: fork.hash, ...origin } : made;
  await files.writeValue(GENESIS, genesis);
  return { genesis, fork };
}

async function readGivenFork(facts: GenesisFacts, { fork, origin }: EngineOptions): Promise<ReadFork | null> {
  if (origin) return forkOfOrigin(origin);
  return fork.length === 0 ? null : readFork(fork, ownAccounts(facts));
}

/** Accounts come later. */
function forkOfOrigin({ rootHash, config }: EngineOrigin): ReadFork {
  return {
    accounts: [],
    libraries: [],
    params: readOriginParams(config),
    hash: `liteserver ${toHex(rootHash)}`,
    notices: [],
  };
}

/** @throws ForkError no block can be made with the configuration of the fork */
async function checkForkedConfig({ start, utime }: GenesisRecord): Promise<void> {
  const { config } = restoreChain(start, []).extra;
  try {
    checkConfig(await Emulator.create(), config.text, utime);
  } catch (error) {
    throw new ForkError([`no block can be made with its configuration: ${error}`]);
  }
}

/** What decides about the local chain's own accounts. */
type GenesisFacts = Pick<GenesisRecord, 'seed' | 'shards' | 'globalId' | 'utime'>;

/** The local chain's own accounts, which a fork does not replace. */
export function ownAccounts(facts: GenesisFacts): OwnAccounts {
  const { wallets, contracts } = ownContracts(facts);
  const special = (address: Uint8Array, role: string) =>
    [toAccountName({ workchain: -1, address }), role] as const;
  return new Map([
    ...contracts.map(({ address }) => [toAccountName(address), 'contract'] as const),
    ...walletContracts(wallets).map(({ address }) => [toAccountName(address), 'wallet'] as const),
    [toAccountName(libraryPublisher([]).address), 'publisher of libraries'],
    special(CONFIG_ADDRESS, 'configuration contract'),
    special(ELECTOR_ADDRESS, 'elector'),
  ]);
}

function ownContracts({ seed, globalId, utime }: GenesisFacts) {
  const wallets = genesisWallets(seed, globalId);
  const { contracts, params } = genesisContracts({ seed, globalId, utime, faucet: wallets.faucet.address });
  return { wallets, contracts: [...walletContracts(wallets), throwingContract(), ...contracts], params };
}

/** The genesis of a chain: the same facts, further contracts and fork give the same zerostates. */
export function makeGenesisRecord(
  facts: GenesisFacts,
  further: readonly GenesisContract[] = [],
  fork: Fork = NO_FORK,
): GenesisRecord {
  const { seed, shards, globalId, utime } = facts;
  const { contracts, params } = ownContracts(facts);
  const { chain, zerostates } = makeGenesis({
    globalId,
    utime,
    splits: splitDepth(shards),
    contracts: [...contracts, ...further],
    fork,
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

/** The chain, and the names of all accounts that it has loaded from the origin of a fork. */
export interface ChainAt {
  readonly chain: ChainState;
  readonly loaded: readonly string[];
}

/**
 * The chain at the end of the log. The log is the truth: local steps that never reached it are dropped. If the log ends
 * after the local steps, the chain cannot continue.
 * @throws LocalnetStateError
 */
export function chainAt(files: StateFiles, genesis: GenesisRecord, end: LogEnd, directory: string): ChainAt {
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
  return { chain, loaded: [snapshot, ...steps].flatMap((one) => one.loaded ?? []) };
}
