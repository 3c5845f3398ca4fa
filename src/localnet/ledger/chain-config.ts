import { onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import type { CellSlice } from '../../ton/boc/cell-slice.ts';
import { forEachLeaf } from '../../ton/boc/hashmap.ts';
import { openBag } from '../../ton/boc/open-bag.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import type { CellsOfBag } from '../../ton/cell/cells-of-bag.ts';
import { numberKey } from '../../ton/cell/key-bits.ts';
import { NO_EXTRA, Trie, type TrieForm } from '../../ton/cell/trie.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import { toBase64 } from '../../ton/hash/base64.ts';
import {
  type ConfiguredValidators,
  readConfiguredValidators,
} from '../../ton/proofs/configured-validators.ts';
import { type GlobalVersion, loadGlobalVersion } from '../../ton/tlb/global-version.ts';
import { LocalnetError } from '../localnet-error.ts';

/** Configuration parameters by number. */
export type ConfigDict = Trie<Cell>;

// Hashmap 32 ^Cell
export const CONFIG_DICT: TrieForm<Cell, null> = {
  keyBits: 32,
  store: (builder, cell) => builder.ref(cell),
  extra: NO_EXTRA,
};

/** The dictionary with a parameter set, or taken out for null. */
export function withParam(dict: ConfigDict, param: number, cell: Cell | null): ConfigDict {
  const key = numberKey(param, 32);
  return cell === null ? dict.delete(key) : dict.set(key, cell);
}

/** Reads a dictionary from its root in a bag. */
export function readConfigDict(cells: CellsOfBag, root: number): ConfigDict {
  let dict: ConfigDict = Trie.empty(CONFIG_DICT);
  forEachLeaf(cells.boc, root, 32, (key, value) => {
    dict = dict.set(key.slice(), cells.cell(value.ref()));
  });
  return dict;
}

/** Configuration parameters of the collator. */
export interface ChainConfig {
  readonly dict: ConfigDict;
  /** The dictionary as the emulator takes it. */
  readonly text: string;
  /** Parameter 8. */
  readonly version: GlobalVersion;
  /** Parameter 14: coins that a block creates in the masterchain and, before shards share it, in the basechain. */
  readonly blockFees: { readonly masterchain: bigint; readonly basechain: bigint };
  /** Parameter 5: the part of the fees that is burned. */
  readonly burn: { readonly num: bigint; readonly denom: bigint };
  /** Parameter 31: accounts that run at the start and end of masterchain blocks. */
  readonly fundamental: readonly Uint8Array[];
  /** Parameters 22 and 23: a block takes no further message once its transactions took so much gas. */
  readonly gasLimits: { readonly masterchain: number; readonly basechain: number };
  /** Parameter 0. */
  readonly configAddress: Uint8Array;
  /** Parameters 34 and 28; null in chains of versions before the development validator, which have no parameter 34. */
  readonly validators: ConfiguredValidators | null;
}

/** @throws LocalnetError a parameter that a block cannot be made without is missing */
export function readChainConfig(dict: ConfigDict): ChainConfig {
  const slice = (param: number): CellSlice | null => {
    const cell = dict.get(numberKey(param, 32));
    if (!cell) return null;
    return openBag(writeBag(cell));
  };
  const need = (param: number): CellSlice => {
    const found = slice(param);
    if (!found) throw new LocalnetError('configuration', `parameter ${param}`, 'none');
    return found;
  };
  const burning = slice(5);
  const bag = writeBag(dict.root()!, { index: false });
  return {
    dict,
    text: toBase64(bag),
    version: loadGlobalVersion(need(8)),
    blockFees: loadBlockFees(need(14)),
    burn: burning ? loadBurning(burning) : { num: 0n, denom: 1n },
    fundamental: loadFundamental(need(31)),
    gasLimits: { masterchain: loadGasLimit(need(22)), basechain: loadGasLimit(need(23)) },
    configAddress: need(0).bytes(32),
    validators: slice(34) && loadValidators(bag),
  };
}

function loadValidators(bag: Uint8Array): ConfiguredValidators {
  const boc = parseBoc(bag);
  return readConfiguredValidators(boc, onlyRoot(boc));
}

const PARAM_LIMITS_BITS = 8 + 3 * 32;

// block_grams_created#6b masterchain_block_fee:Grams basechain_block_fee:Grams = BlockCreateFees;
function loadBlockFees(slice: CellSlice): ChainConfig['blockFees'] {
  slice.skipBits(8);
  return { masterchain: slice.coins(), basechain: slice.coins() };
}

// block_limits#5d bytes:ParamLimits gas:ParamLimits lt_delta:ParamLimits = BlockLimits;     #5e has more behind
// param_limits#c3 underload:# soft_limit:# hard_limit:# = ParamLimits;
function loadGasLimit(slice: CellSlice): number {
  slice.skipBits(8 + PARAM_LIMITS_BITS + PARAM_LIMITS_BITS - 32);
  return slice.uint(32);
}

// burning_config#01 blackhole_addr:(Maybe bits256) fee_burn_num:# fee_burn_denom:# = BurningConfig;
function loadBurning(slice: CellSlice): ChainConfig['burn'] {
  slice.skipBits(8);
  if (slice.bit()) slice.skipBits(256);
  return { num: slice.bigUint(32), denom: slice.bigUint(32) };
}

// _ fundamental_smc_addr:(HashmapE 256 True) = ConfigParam 31;
function loadFundamental(slice: CellSlice): Uint8Array[] {
  const addresses: Uint8Array[] = [];
  const root = slice.maybeRef();
  if (root >= 0) forEachLeaf(slice.boc, root, 256, (key) => addresses.push(key.slice()));
  return addresses;
}
