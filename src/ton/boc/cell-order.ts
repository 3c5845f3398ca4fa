import type { Boc } from './boc.ts';

/** The cells below a root, each different cell once, in the order in which they are written after the root. */
export interface CellOrder {
  /** Cell indexes of the bag. The root itself is not in it. */
  readonly cells: readonly number[];
  /**
   * Place in the new bag by cell index of the old one; the root is 0. Equal cells share a place. Valid until the next
   * call of `orderCells`.
   */
  readonly getPlace: (cell: number) => number;
}

/**
 * Ranks of the cells of a bag, in memory that all calls share. Bodies are small and bags are large, so a map or a new
 * array per call would be too slow. Ranks of earlier calls have another turn number.
 */
class Ranks {
  private ranks = new Int32Array(0);
  private turns = new Uint32Array(0);
  private turn = 0;

  /** Forgets all ranks and makes room for a bag. */
  begin(cellCount: number): void {
    if (this.ranks.length < cellCount || this.turn === 0xffffffff) {
      const size = Math.max(cellCount, this.ranks.length);
      this.ranks = new Int32Array(size);
      this.turns = new Uint32Array(size);
      this.turn = 0;
    }
    this.turn++;
  }

  has(cell: number): boolean {
    return this.turns[cell] === this.turn;
  }

  get(cell: number): number {
    return this.ranks[cell]!;
  }

  set(cell: number, rank: number): void {
    this.turns[cell] = this.turn;
    this.ranks[cell] = rank;
  }
}

const RANKS = new Ranks();
const NOTHING: CellOrder = { cells: [], getPlace: () => 0 };

/** Cells seen so far, by a fingerprint of their content; equal cells are found without hashing. */
class SeenCells {
  private readonly boc: Boc;
  private readonly rankByCell: Ranks;
  private readonly byFingerprint = new Map<number, number[]>();

  constructor(boc: Boc, rankByCell: Ranks) {
    this.boc = boc;
    this.rankByCell = rankByCell;
  }

  /** An equal cell that was given before, or the cell itself. Its children must have their ranks. */
  sameAs(cell: number): number {
    const fingerprint = this.fingerprint(cell);
    const candidates = this.byFingerprint.get(fingerprint);
    if (candidates === undefined) {
      this.byFingerprint.set(fingerprint, [cell]);
      return cell;
    }
    for (const candidate of candidates) if (this.equal(candidate, cell)) return candidate;
    candidates.push(cell);
    return cell;
  }

  private fingerprint(cell: number): number {
    const { bytes, dataStart, bitLength, refCount, refs, type } = this.boc;
    const bits = bitLength[cell]!;
    const n = refCount[cell]!;
    let value = Math.imul((bits << 8) | (n << 4) | type[cell]!, 0x9e3779b1);
    const start = dataStart[cell]!;
    for (let at = start, end = start + ((bits + 7) >> 3); at < end; at++) {
      value = Math.imul(value ^ bytes[at]!, 0x01000193);
    }
    for (let k = 0; k < n; k++) {
      value = Math.imul(value ^ this.rankByCell.get(refs[cell * 4 + k]!), 0x85ebca6b);
      value ^= value >>> 15;
    }
    return value;
  }

  private equal(a: number, b: number): boolean {
    const { bytes, dataStart, bitLength, refCount, refs, type, levelMask } = this.boc;
    if (bitLength[a] !== bitLength[b] || refCount[a] !== refCount[b]) return false;
    if (type[a] !== type[b] || levelMask[a] !== levelMask[b]) return false;
    for (let k = 0; k < refCount[a]!; k++) {
      if (this.rankByCell.get(refs[a * 4 + k]!) !== this.rankByCell.get(refs[b * 4 + k]!)) return false;
    }
    // The completion tag is in the last byte, so whole bytes can be compared.
    const size = (bitLength[a]! + 7) >> 3;
    const [startA, startB] = [dataStart[a]!, dataStart[b]!];
    for (let i = 0; i < size; i++) if (bytes[startA + i] !== bytes[startB + i]) return false;
    return true;
  }
}

/**
 * The order that the reference node and @ton/core give: the reverse of a depth-first walk that leaves a cell after its
 * references, taking those from the last to the first. Equal cells become one, which @ton/core finds by hash.
 * @param topRefs the root's references, as cell indexes
 */
export function orderCells(boc: Boc, topRefs: readonly number[]): CellOrder {
  if (topRefs.length === 0) return NOTHING;
  const { refs, refCount } = boc;
  const rankByCell = RANKS;
  rankByCell.begin(boc.cellCount);
  const seen = new SeenCells(boc, rankByCell);
  const left: number[] = [];
  // Cells to visit; a cell stays until all below it have their ranks, and is then ranked itself.
  const path = [...topRefs];
  while (path.length > 0) {
    const cell = path[path.length - 1]!;
    let next = -1;
    if (!rankByCell.has(cell)) {
      for (let at = cell * 4 + refCount[cell]! - 1; at >= cell * 4; at--) {
        if (!rankByCell.has(refs[at]!)) {
          next = refs[at]!;
          break;
        }
      }
    }
    if (next >= 0) {
      path.push(next);
      continue;
    }
    path.pop();
    if (rankByCell.has(cell)) continue;
    const same = seen.sameAs(cell);
    rankByCell.set(cell, same === cell ? left.push(cell) - 1 : rankByCell.get(same));
  }
  return { cells: left.reverse(), getPlace: (cell) => left.length - rankByCell.get(cell) };
}
