import { MERKLE_UPDATE, PRUNED } from '../boc/cell-type.ts';
import { toHex } from '../hash/hex.ts';
import type { Cell } from './cell.ts';
import { rewrite } from './make-update.ts';

/** The update does not start from the given state, or does not lead to the announced one. */
export class ApplyUpdateError extends Error {
  override readonly name = 'ApplyUpdateError';
  readonly what: string;
  readonly expected: string;
  readonly found: string;

  constructor(what: string, expected: Uint8Array, found: Uint8Array) {
    super(`state update: ${what}: expected ${toHex(expected)}, found ${toHex(found)}`);
    this.what = what;
    this.expected = toHex(expected);
    this.found = toHex(found);
  }
}

/**
 * The whole new state: the update's new side with every pruned branch replaced by the old state's cell of that hash.
 * `old` must be whole.
 *
 * @throws ApplyUpdateError
 */
export function applyUpdate(old: Cell, update: Cell): Cell {
  const [oldSide, newSide] = update.refs;
  if (update.type !== MERKLE_UPDATE || !oldSide || !newSide)
    throw new TypeError(`a Merkle update is needed, not a cell of type ${update.type}`);
  const before = update.data.subarray(1, 33);
  if (!Buffer.from(before).equals(old.hash(0))) throw new ApplyUpdateError('old state', before, old.hash(0));
  const cells = cellsBehind(oldSide, old);
  const state = rewrite(newSide, (cell) => {
    if (cell.type === PRUNED && cell.levelMask === 1) {
      const known = cells.get(cell.key);
      if (!known)
        throw new ApplyUpdateError('a pruned cell of the old state', cell.hash(0), new Uint8Array());
      return known;
    }
    // Cells that both sides show are taken from the old state, so that they stay one object.
    return cell.levelMask === 0 ? (cells.get(cell.key) ?? null) : null;
  });
  const after = update.data.subarray(33, 65);
  if (!Buffer.from(after).equals(state.hash(0)))
    throw new ApplyUpdateError('new state', after, state.hash(0));
  return state;
}

/** The old state's cells by level-0 hash, as far down as the old side goes. */
function cellsBehind(oldSide: Cell, old: Cell): Map<string, Cell> {
  const cells = new Map<string, Cell>();
  const seen = new Set<Cell>();
  const path: [side: Cell, state: Cell][] = [[oldSide, old]];
  for (let pair = path.pop(); pair; pair = path.pop()) {
    const [side, state] = pair;
    // By object, not by hash: a cell may be pruned in one place and present in another.
    if (seen.has(side)) continue;
    seen.add(side);
    cells.set(side.key, state);
    if (side.type === PRUNED && state.type !== PRUNED) continue;
    side.refs.forEach((ref, i) => {
      path.push([ref, state.refs[i]!]);
    });
  }
  return cells;
}
