import type { Boc } from '../boc/boc.ts';
import { CellError } from '../boc/cell-error.ts';
import { CellSlice } from '../boc/cell-slice.ts';
import { findLeaf } from '../boc/find-leaf.ts';
import { numberKey } from '../cell/key-bits.ts';
import { type CatchainConfig, loadCatchainConfig } from '../tlb/catchain-config.ts';
import { badValue, expectTag } from '../tlb/tag.ts';
import { loadValidatorSet, type ValidatorSet } from '../tlb/validator-set.ts';
import { loadWholeCell } from '../tlb/whole-cell.ts';

/** Validators as a configuration names them. */
export interface ConfiguredValidators {
  /** Parameter 35, or 34 if that is absent. */
  readonly set: ValidatorSet;
  /** Parameter 28. */
  readonly catchain: CatchainConfig;
}

const CATCHAIN = 28;
const CURRENT = 34;
const CURRENT_TEMPORARY = 35;

/**
 * Configuration dictionary of a key block, whose McBlockExtra is cell `extra`: its last field, so its last reference.
 * The grammar is at `loadMcBlockExtra`; a proof may have pruned all other references.
 * @throws CellError not a key block
 */
export function configOfKeyBlock(boc: Boc, extra: number): number {
  const slice = new CellSlice(boc, extra);
  expectTag(slice, 16, 0xcca5, 'McBlockExtra');
  if (!slice.bit()) throw badValue(slice, 'McBlockExtra key_block', 1, 0);
  slice.skipRefs(slice.refsLeft - 1);
  return slice.ref();
}

// masterchain_state_extra#cc26 shard_hashes:ShardHashes config:ConfigParams …
/** Configuration dictionary of a masterchain state, whose McStateExtra is cell `custom`. @throws CellError */
export function configOfState(boc: Boc, custom: number): number {
  const slice = new CellSlice(boc, custom);
  expectTag(slice, 16, 0xcc26, 'McStateExtra');
  slice.maybeRef();
  return slice.ref();
}

/**
 * Reads them from a configuration (`Hashmap 32 ^Cell` at cell `root`), whole or as a proof shows it.
 * @throws CellError a parameter is missing, pruned or malformed
 */
export function readConfiguredValidators(boc: Boc, root: number): ConfiguredValidators {
  const set = findParam(boc, root, CURRENT_TEMPORARY) ?? findParam(boc, root, CURRENT);
  const catchain = findParam(boc, root, CATCHAIN);
  if (set === null || catchain === null)
    throw new CellError('value', {
      cell: root,
      bit: 0,
      what: 'configuration',
      expected: `parameters ${CURRENT} and ${CATCHAIN}`,
      found: `no parameter ${set === null ? CURRENT : CATCHAIN}`,
    });
  return {
    set: loadWholeCell(boc, set, 'ValidatorSet', loadValidatorSet),
    catchain: loadWholeCell(boc, catchain, 'CatchainConfig', loadCatchainConfig),
  };
}

/** Cell of a parameter; null if there is none. */
function findParam(boc: Boc, root: number, param: number): number | null {
  return findLeaf(new CellSlice(boc, root), { bytes: numberKey(param, 32), bits: 32 })?.ref() ?? null;
}
