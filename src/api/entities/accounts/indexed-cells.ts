import { CELL_TARGET } from '../../../tables/account-targets.ts';
import { getLookUp, keyBuilder } from '../../../tables/look-ups/look-ups.ts';
import { RowBinary } from '../../../tables/row-binary.ts';
import type { IndexedRow } from '../../look-up-port.ts';
import { getLookUps, keysWith, knowsAllUpTo, toBuffer } from '../../query/look-ups.ts';
import type { ReadScope } from '../../query/scope.ts';
import { getAccount } from './model.ts';
import { CELLS_OF_ACCOUNT, type StateKey } from './plan-cells.ts';

const CELLS = getLookUp(CELL_TARGET, 'cells_of_account');
const { name: CELLS_NAME } = CELLS.lookUp;
const toKey = keyBuilder(CELLS);

/** Account cells that may contain code and data of a state. */
interface IndexedBags {
  readonly bags: readonly Uint8Array[];
  /** True if a statement would find no other ones. */
  readonly isComplete: boolean;
}

/** The cells of a state and the first ones of its account, from the look-up index; null if it has none of the state. */
export function findIndexedBags(scope: ReadScope, state: StateKey): IndexedBags | null {
  const lookUps = getLookUps(scope, scope.databases.base, CELLS_NAME);
  if (!lookUps) return null;
  const { hash, workchain } = getAccount(state);
  const account = [Buffer.from(hash, 'hex'), workchain] as const;
  const read = (prefix: Buffer) => lookUps.range(CELLS_NAME, keysWith(prefix), CELLS_OF_ACCOUNT);
  const own = read(toKey(...account, BigInt(state.lt)));
  if (own.length === 0) return null;
  const bags = [...own, ...read(toKey(...account))].map(readBag);
  return { bags, isComplete: knowsAllUpTo(lookUps, scope.visible) };
}

function readBag({ value }: IndexedRow): Uint8Array {
  return new RowBinary(toBuffer(value)).string();
}
