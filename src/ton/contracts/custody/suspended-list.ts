import { onlyRoot, parseBoc } from '../../boc/boc.ts';
import { CellError } from '../../boc/cell-error.ts';
import { CellSlice } from '../../boc/cell-slice.ts';
import { readDictionary } from '../read-accounts.ts';
import { rawText } from './custody-state.ts';

/** Accounts that a decision of the validators stops (configuration parameter 44). */
export interface SuspendedList {
  /** Raw addresses. */
  readonly accounts: ReadonlySet<string>;
  /** Unix time from which on they are stopped no longer. */
  readonly until: number;
}

/**
 * Reads the bag of the parameter. Keys are the workchain, 32 bits, and the account.
 *
 *     suspended_address_list#00 addresses:(HashmapE 288 Unit) suspended_until:uint32 = SuspendedAddressList;
 *
 * @returns null if the cell has another form
 * @throws BocError
 */
export function readSuspendedList(bag: Uint8Array): SuspendedList | null {
  const boc = parseBoc(bag);
  const slice = new CellSlice(boc, onlyRoot(boc));
  const accounts = new Set<string>();
  try {
    if (slice.uint(8) !== 0) return null;
    readDictionary(boc, slice.maybeRef(), 288, (key) => {
      const workchain = new DataView(key.buffer, key.byteOffset).getInt32(0);
      accounts.add(rawText({ workchain, address: key.subarray(4) }));
    });
    return { accounts, until: slice.uint(32) };
  } catch (error) {
    if (error instanceof CellError) return null;
    throw error;
  }
}
