import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { readCell } from '../../ton/cell/cells-of-bag.ts';
import { settle } from '../../ton/cell/make-update.ts';
import { Trie } from '../../ton/cell/trie.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import { addMoney, NO_MONEY } from '../../ton/currencies/money.ts';
import { fromBase64 } from '../../ton/hash/base64.ts';
import { sha256 } from '../../ton/hash/sha256.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import type { TopBlock } from '../../ton/tlb/block/shard-hashes.ts';
import type { ShardIdent } from '../../ton/tlb/shard-ident.ts';
import { type Fork, NO_FORK } from '../fork/fork.ts';
import { type AccountEntry, SHARD_ACCOUNTS } from '../ledger/account-entry.ts';
import { readChainConfig } from '../ledger/chain-config.ts';
import type { ChainState } from '../ledger/chain-state.ts';
import { LIBRARIES, republish } from '../ledger/libraries.ts';
import { type MasterchainExtra, masterchainExtraCell, OLD_BLOCKS } from '../ledger/masterchain-extra.ts';
import { OUT_QUEUE } from '../ledger/queued-message.ts';
import { type LedgerFacts, type ShardLedger, stateCell } from '../ledger/shard-ledger.ts';
import { firstValidatorInfo } from '../validator/validator-group.ts';
import type { Param } from '../validator/validator-rounds.ts';
import { forkedEntry, libraryPublisher } from './forked-accounts.ts';
import { type GenesisContract, genesisEntry } from './genesis-account.ts';
import { CONFIG_ADDRESS, ELECTOR_ADDRESS, genesisConfig } from './genesis-config.ts';
import { SPECIAL_ACCOUNT_CODE } from './special-account-code.ts';

export interface GenesisOptions {
  readonly globalId: number;
  /** Unix time of the zerostates. */
  readonly utime: number;
  /** Largest number of splits of the basechain. */
  readonly splits: number;
  readonly contracts: readonly GenesisContract[];
  /** Configuration parameters 32 to 37. */
  readonly validators: readonly Param[];
  /** Configuration parameters that come with the contracts. */
  readonly params?: readonly Param[];
  /** Accounts and libraries of other networks. Default none. No account may be one of `contracts` or special. */
  readonly fork?: Fork;
}

/** The chain before its first block, and its published zerostates. */
export interface Genesis {
  readonly chain: ChainState;
  /** Masterchain, then basechain. */
  readonly zerostates: readonly [Uint8Array, Uint8Array];
}

const WHOLE_SHARD = 1n << 63n;
const SPECIAL_BALANCE = 1_000_000_000_000n;

/** Makes the zerostates. */
export function makeGenesis(options: GenesisOptions): Genesis {
  const { globalId, utime } = options;
  const entries = genesisEntries(options);
  const accounts = (workchain: number) => genesisAccounts(entries, workchain);
  const basechain = zeroLedger({ ...emptyFacts(options, 0), accounts: accounts(0) });
  const { block } = basechain.ledger;
  const config = readChainConfig(
    genesisConfig({ ...options, forked: options.fork?.params ?? [], zerostate: block }),
  );
  const masterAccounts = accounts(-1);
  const extra: MasterchainExtra = {
    tops: [zeroTop(basechain.ledger)],
    config,
    oldBlocks: Trie.empty(OLD_BLOCKS),
    afterKeyBlock: true,
    lastKeyBlock: null,
    globalBalance: addMoney(basechain.ledger.accounts.extra(), masterAccounts.extra()),
    validatorInfo: firstValidatorInfo(config.validators),
  };
  const custom = masterchainExtraCell(extra);
  const masterchain = zeroLedger({
    ...emptyFacts({ globalId, utime }, -1),
    accounts: masterAccounts,
    libraries: publicLibraries(masterAccounts),
    custom,
  });
  return {
    chain: { masterchain: masterchain.ledger, extra, shards: [basechain.ledger] },
    zerostates: [masterchain.boc, basechain.boc],
  };
}

function specialAccounts(): GenesisContract[] {
  const code = readCell(fromBase64(SPECIAL_ACCOUNT_CODE)!);
  const data = new CellBuilder().u64(0n).u64(0n).cell();
  const account = (address: Uint8Array, special: { tick: boolean; tock: boolean }) => ({
    address: { workchain: -1, address },
    code,
    data,
    balance: SPECIAL_BALANCE,
    special,
  });
  return [
    account(CONFIG_ADDRESS, { tick: false, tock: true }),
    account(ELECTOR_ADDRESS, { tick: true, tock: true }),
  ];
}

/** An account of the zerostates with its address. */
interface PlacedEntry {
  readonly address: AccountAddress;
  readonly entry: AccountEntry;
}

function genesisEntries({ utime, contracts, fork = NO_FORK }: GenesisOptions): PlacedEntry[] {
  const forked = fork.accounts.map((one) => ({ address: one.address, entry: forkedEntry(one, utime) }));
  const masterchain = forked.filter(({ address }) => address.workchain === -1);
  const published = new Set(masterchain.flatMap(({ entry }) => [...entry.libraries.keys()]));
  const others = fork.libraries.filter(({ key }) => !published.has(key));
  const publishers = others.length > 0 ? [libraryPublisher(others)] : [];
  const own = [...specialAccounts(), ...contracts, ...publishers];
  const placed = own.map((one) => ({ address: one.address, entry: genesisEntry(one, utime) }));
  return [...placed, ...forked];
}

function genesisAccounts(entries: readonly PlacedEntry[], workchain: number): ShardLedger['accounts'] {
  let accounts: ShardLedger['accounts'] = Trie.empty(SHARD_ACCOUNTS);
  for (const { address, entry } of entries)
    if (address.workchain === workchain) accounts = accounts.set(address.address, entry);
  return accounts;
}

/** The libraries that accounts of the masterchain publish. */
function publicLibraries(accounts: ShardLedger['accounts']): ShardLedger['libraries'] {
  let libraries: ShardLedger['libraries'] = Trie.empty(LIBRARIES);
  for (const [address, entry] of accounts.entries())
    libraries = republish(libraries, address, new Map(), entry.libraries);
  return libraries;
}

function emptyFacts(
  { globalId, utime }: Pick<GenesisOptions, 'globalId' | 'utime'>,
  workchain: number,
): Omit<LedgerFacts, 'accounts'> {
  const ident: ShardIdent = { workchain, shard: WHOLE_SHARD, prefixBits: 0 };
  return {
    ident,
    globalId,
    seqno: 0,
    utime,
    endLt: 0n,
    minRefMcSeqno: 0xffff_ffff,
    beforeSplit: false,
    queue: Trie.empty(OUT_QUEUE),
    processed: null,
    validatorFees: NO_MONEY,
    libraries: Trie.empty(LIBRARIES),
    masterRef: null,
    custom: null,
  };
}

function zeroLedger(facts: LedgerFacts): { ledger: ShardLedger; boc: Uint8Array } {
  const state = stateCell(facts);
  const boc = writeBag(state);
  settle(state);
  const block = { endLt: 0n, seqno: 0, rootHash: state.hash(), fileHash: sha256(boc) };
  return { ledger: { ...facts, state, block }, boc };
}

function zeroTop({ ident, block, minRefMcSeqno, utime: genUtime }: ShardLedger): TopBlock {
  return {
    workchain: ident.workchain,
    shard: ident.shard,
    descr: {
      ...block,
      regMcSeqno: 0,
      startLt: 0n,
      beforeSplit: false,
      beforeMerge: false,
      wantSplit: false,
      wantMerge: false,
      nxCcUpdated: false,
      nextCatchainSeqno: 0,
      nextValidatorShard: ident.shard,
      minRefMcSeqno,
      genUtime,
      splitMergeAt: { kind: 'none' },
      feesCollected: { grams: 0n, extra: [], extraRoot: -1 },
      fundsCreated: { grams: 0n, extra: [], extraRoot: -1 },
    },
  };
}
