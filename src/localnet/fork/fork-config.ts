import { onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import { CellsOfBag } from '../../ton/cell/cells-of-bag.ts';
import { numberKey } from '../../ton/cell/key-bits.ts';
import { configOfState } from '../../ton/proofs/configured-validators.ts';
import { readConfigDict } from '../ledger/chain-config.ts';

/** A configuration parameter of another network. */
export interface ForkedParam {
  readonly param: number;
  readonly cell: Cell;
}

/**
 * Parameters that a local chain takes over: prices of storage (18), gas (20, 21) and messages (24, 25), limits of sizes (43),
 * suspended addresses (44), precompiled contracts (45), and bridges (71 to 73, 79, 81, 82). Contracts and the executor read
 * them. The others describe what a local chain has of its own: addresses, version, workchains, blocks, elections and
 * validators.
 */
const LOADED_PARAMS = [18, 20, 21, 24, 25, 43, 44, 45, 71, 72, 73, 79, 81, 82];

/** Reads these parameters of a masterchain state, whose McStateExtra is cell `custom`. @throws CellError */
export function readForkedParams(cells: CellsOfBag, custom: number): ForkedParam[] {
  return readParams(cells, configOfState(cells.boc, custom));
}

/** As `readForkedParams`, from the bag of the dictionary of a configuration. @throws BocError, CellError */
export function readOriginParams(config: Uint8Array): ForkedParam[] {
  const boc = parseBoc(config);
  return readParams(new CellsOfBag(boc), onlyRoot(boc));
}

function readParams(cells: CellsOfBag, root: number): ForkedParam[] {
  const dict = readConfigDict(cells, root);
  return LOADED_PARAMS.flatMap((param) => {
    const cell = dict.get(numberKey(param, 32));
    return cell ? [{ param, cell }] : [];
  });
}
