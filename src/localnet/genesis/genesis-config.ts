import { onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { CellsOfBag } from '../../ton/cell/cells-of-bag.ts';
import { NO_EXTRA, Trie } from '../../ton/cell/trie.ts';
import { fromBase64 } from '../../ton/hash/base64.ts';
import { storeGlobalVersion } from '../../ton/store/store-block-info.ts';
import { BASE_CONFIG } from '../../tvm/base-config.ts';
import { type ConfigDict, readConfigDict, withParam } from '../ledger/chain-config.ts';

/** Masterchain accounts with a role, as mainnet has them. */
export const CONFIG_ADDRESS: Uint8Array = new Uint8Array(32).fill(0x55);
export const ELECTOR_ADDRESS: Uint8Array = new Uint8Array(32).fill(0x33);

/** A zerostate by its hashes. */
export interface Zerostate {
  readonly rootHash: Uint8Array;
  readonly fileHash: Uint8Array;
}

export interface GenesisConfigOptions {
  readonly globalId: number;
  readonly utime: number;
  /** Zerostate of the basechain. */
  readonly zerostate: Zerostate;
  /** Largest number of splits of the basechain. */
  readonly splits: number;
  /** Parameters 32 to 37. */
  readonly validators: readonly { readonly param: number; readonly cell: Cell }[];
  /** Parameters of another network. Default none. */
  readonly forked?: readonly { readonly param: number; readonly cell: Cell }[];
  /** Parameters that come with contracts, for example 4, the root of DNS. */
  readonly params?: readonly { readonly param: number; readonly cell: Cell }[];
}

const VERSION = 12;
/** Bounced bodies (4), version reports (8), short dequeue (32), queue size (64), message metadata (128). */
const CAPABILITIES = 4n | 8n | 32n | 64n | 128n;

/** The configuration that the chain begins with. */
export function genesisConfig(options: GenesisConfigOptions): ConfigDict {
  const boc = parseBoc(fromBase64(BASE_CONFIG)!);
  let dict = readConfigDict(new CellsOfBag(boc), onlyRoot(boc));
  for (const { param, cell } of options.forked ?? []) dict = withParam(dict, param, cell);
  const own: [number, Cell][] = [
    [0, new CellBuilder().bytes(CONFIG_ADDRESS).cell()],
    [1, new CellBuilder().bytes(ELECTOR_ADDRESS).cell()],
    [2, new CellBuilder().bytes(new Uint8Array(32)).cell()],
    [5, burningConfig()],
    [8, new CellBuilder().with(storeGlobalVersion, { version: VERSION, capabilities: CAPABILITIES }).cell()],
    [12, workchains(options)],
    [19, new CellBuilder().int(options.globalId, 32).cell()],
    [31, fundamental([CONFIG_ADDRESS, ELECTOR_ADDRESS])],
  ];
  for (const { param, cell } of options.validators) dict = withParam(dict, param, cell);
  for (const [param, cell] of own) dict = withParam(dict, param, cell);
  for (const { param, cell } of options.params ?? []) dict = withParam(dict, param, cell);
  return dict;
}

// burning_config#01 blackhole_addr:(Maybe bits256) fee_burn_num:# fee_burn_denom:# = BurningConfig;
//
// Half of the fees, as on mainnet; without the account that burns what is sent to it.
function burningConfig(): Cell {
  return new CellBuilder().uint(1, 8).bit(false).uint(1, 32).uint(2, 32).cell();
}

// workchain#a6 enabled_since:uint32 actual_min_split:(## 8) min_split:(## 8) max_split:(## 8) basic:(## 1)
//   active:Bool accept_msgs:Bool flags:(## 13) zerostate_root_hash:bits256 zerostate_file_hash:bits256
//   version:uint32 format:(WorkchainFormat basic) = WorkchainDescr;
// wfmt_basic#1 vm_version:int32 vm_mode:uint64 = WorkchainFormat 1;
// _ workchains:(HashmapE 32 WorkchainDescr) = ConfigParam 12;
function workchains({ utime, zerostate, splits }: GenesisConfigOptions): Cell {
  const descr = new CellBuilder().uint(0xa6, 8).uint(utime, 32).uint(0, 8).uint(0, 8).uint(splits, 8);
  descr.bit(true).bit(true).bit(true).uint(0, 13);
  descr.bytes(zerostate.rootHash).bytes(zerostate.fileHash).uint(0, 32);
  const cell = descr.uint(1, 4).int(-1, 32).u64(0n).cell();
  const form = {
    keyBits: 32,
    store: (builder: CellBuilder, value: Cell) => builder.append(value),
    extra: NO_EXTRA,
  };
  const builder = new CellBuilder();
  Trie.empty<Cell>(form).set(new Uint8Array(4), cell).store(builder);
  return builder.cell();
}

// _ fundamental_smc_addr:(HashmapE 256 True) = ConfigParam 31;
function fundamental(addresses: readonly Uint8Array[]): Cell {
  let dict = Trie.empty<true>({ keyBits: 256, store: () => {}, extra: NO_EXTRA });
  for (const address of addresses) dict = dict.set(address, true);
  const builder = new CellBuilder();
  dict.store(builder);
  return builder.cell();
}
