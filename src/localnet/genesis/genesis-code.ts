import type { Cell } from '../../ton/cell/cell.ts';
import { readCell } from '../../ton/cell/cells-of-bag.ts';
import { fromBase64 } from '../../ton/hash/base64.ts';
import { stateInitHash } from '../../ton/store/store-state-init.ts';
import type { GenesisContract } from './genesis-account.ts';

/** The cell of a code module (`NAME-code.ts`). */
export function codeCell(base64: string): Cell {
  return readCell(fromBase64(base64)!);
}

/** A contract at the address of its code and initial data: `before`, if that differs from its data. */
export function contractAt(
  code: Cell,
  data: Cell,
  balance: bigint,
  { before = data, workchain = 0 }: { readonly before?: Cell; readonly workchain?: number } = {},
): GenesisContract {
  return { address: { workchain, address: stateInitHash(code, before) }, code, data, balance };
}
