import type { Cell } from './cell.ts';
import { CellBuilder } from './cell-builder.ts';
import { firstDifference, isBitSet } from './key-bits.ts';
import { type EdgeLabel, storeLabel } from './store-label.ts';

/** Augmentation of a HashmapAug; a plain Hashmap has `NO_EXTRA`. */
export interface Augmentation<V, E> {
  readonly ofLeaf: (value: V, key: Uint8Array) => E;
  readonly ofFork: (left: E, right: E) => E;
  readonly ofEmpty: E;
  readonly store: (builder: CellBuilder, extra: E) => void;
}

/** The augmentation of a dictionary that has none. */
export const NO_EXTRA: Augmentation<unknown, null> = {
  ofLeaf: () => null,
  ofFork: () => null,
  ofEmpty: null,
  store: () => {},
};

/** A `Hashmap n X` or `HashmapAug n X Y`: how wide its keys are and how leaves are written. */
export interface TrieForm<V, E> {
  readonly keyBits: number;
  readonly store: (builder: CellBuilder, value: V) => void;
  readonly extra: Augmentation<V, E>;
}

/**
 * An edge with the fork or leaf at its end. Its label uses the key of any leaf below it. Cell and extra are computed on
 * first use.
 */
interface Edge<V, E> extends EdgeLabel {
  readonly left: Edge<V, E> | null;
  readonly right: Edge<V, E> | null;
  readonly value: V | undefined;
  cell: Cell | null;
  extra: E | undefined;
}

/**
 * An immutable dictionary: `set` and `delete` return a new one that shares everything outside the path to the key,
 * including cells. State updates are therefore cheap: shared parts are pruned.
 */
export class Trie<V, E = null> {
  readonly form: TrieForm<V, E>;
  readonly size: number;
  private readonly top: Edge<V, E> | null;

  private constructor(form: TrieForm<V, E>, top: Edge<V, E> | null, size: number) {
    this.form = form;
    this.top = top;
    this.size = size;
  }

  static empty<V, E = null>(form: TrieForm<V, E>): Trie<V, E> {
    return new Trie(form, null, 0);
  }

  get(key: Uint8Array): V | undefined {
    let edge = this.top;
    while (edge) {
      if (firstDifference(edge.key, key, edge.start, edge.end) < edge.end) return undefined;
      if (edge.end === this.form.keyBits) return edge.value;
      edge = isBitSet(key, edge.end) ? edge.right : edge.left;
    }
    return undefined;
  }

  /** The dictionary with this value at `key`, which must not be changed afterwards. */
  set(key: Uint8Array, value: V): Trie<V, E> {
    const added = this.get(key) === undefined ? 1 : 0;
    return new Trie(this.form, this.put(this.top, key, value, 0), this.size + added);
  }

  /** Returns the dictionary without `key`, or itself if it has no such key. */
  delete(key: Uint8Array): Trie<V, E> {
    if (this.top === null || this.get(key) === undefined) return this;
    return new Trie(this.form, this.remove(this.top, key), this.size - 1);
  }

  /** All keys and values in the order of the keys. */
  *entries(): Generator<[key: Uint8Array, value: V]> {
    const path = this.top ? [this.top] : [];
    for (let edge = path.pop(); edge; edge = path.pop()) {
      if (edge.left && edge.right) path.push(edge.right, edge.left);
      else yield [edge.key, edge.value as V];
    }
  }

  /** The part whose keys begin with the first `bits` bits of `prefix`; keys keep their width. */
  under(prefix: Uint8Array, bits: number): Trie<V, E> {
    let edge = this.top;
    while (edge && edge.end < bits && firstDifference(edge.key, prefix, edge.start, edge.end) === edge.end)
      edge = isBitSet(prefix, edge.end) ? edge.right : edge.left;
    if (edge === null || firstDifference(edge.key, prefix, 0, bits) < bits)
      return new Trie(this.form, null, 0);
    const top = { ...edge, start: 0, cell: null };
    return new Trie(this.form, top, countLeaves(top));
  }

  /** The cell of the root edge, or null for no entry. */
  root(): Cell | null {
    return this.top && this.getCell(this.top);
  }

  /** Returns the sum at the root. */
  extra(): E {
    return this.top ? this.getExtra(this.top) : this.form.extra.ofEmpty;
  }

  // hme_empty$0 = HashmapE n X;  hme_root$1 root:^(Hashmap n X) = HashmapE n X;
  // ahme_empty$0 extra:Y = HashmapAugE n X Y;  ahme_root$1 root:^(HashmapAug n X Y) extra:Y = HashmapAugE n X Y;
  store(builder: CellBuilder): void {
    builder.maybeRef(this.root());
    this.form.extra.store(builder, this.extra());
  }

  /** The root edge without a cell of its own: `Hashmap n X` in place. Not for an empty dictionary. */
  storeInline(builder: CellBuilder): void {
    this.storeEdge(builder, this.top!);
  }

  private put(edge: Edge<V, E> | null, key: Uint8Array, value: V, start: number): Edge<V, E> {
    const leaf = (from: number) => newLeaf<V, E>({ key, start: from, end: this.form.keyBits }, value);
    if (edge === null) return leaf(start);
    const at = firstDifference(edge.key, key, edge.start, edge.end);
    if (at < edge.end) {
      const rest = { ...edge, start: at + 1, cell: null };
      const [left, right] = isBitSet(key, at) ? [rest, leaf(at + 1)] : [leaf(at + 1), rest];
      return newFork({ key, start: edge.start, end: at }, left, right);
    }
    if (at === this.form.keyBits) return leaf(edge.start);
    const [left, right] = isBitSet(key, at)
      ? [edge.left, this.put(edge.right, key, value, at + 1)]
      : [this.put(edge.left, key, value, at + 1), edge.right];
    return newFork(edge, left, right);
  }

  private remove(edge: Edge<V, E>, key: Uint8Array): Edge<V, E> | null {
    if (edge.end === this.form.keyBits) return null;
    const goesRight = isBitSet(key, edge.end);
    const [changed, other] = goesRight ? [edge.right!, edge.left!] : [edge.left!, edge.right!];
    const rest = this.remove(changed, key);
    // A fork with one side is not valid: its edge and the other side's edge are joined.
    if (rest === null) return { ...other, start: edge.start, cell: null };
    const [left, right] = goesRight ? [other, rest] : [rest, other];
    return newFork({ key: other.key, start: edge.start, end: edge.end }, left, right);
  }

  private getCell(edge: Edge<V, E>): Cell {
    if (edge.cell === null) {
      const builder = new CellBuilder();
      this.storeEdge(builder, edge);
      edge.cell = builder.cell();
    }
    return edge.cell;
  }

  private getExtra(edge: Edge<V, E>): E {
    if (edge.extra === undefined) {
      const { extra } = this.form;
      edge.extra =
        edge.left && edge.right
          ? extra.ofFork(this.getExtra(edge.left), this.getExtra(edge.right))
          : extra.ofLeaf(edge.value as V, edge.key);
    }
    return edge.extra;
  }

  private storeEdge(builder: CellBuilder, edge: Edge<V, E>): void {
    const { keyBits, extra, store } = this.form;
    storeLabel(builder, edge, keyBits - edge.start);
    if (edge.left && edge.right) {
      builder.ref(this.getCell(edge.left)).ref(this.getCell(edge.right));
      extra.store(builder, this.getExtra(edge));
    } else {
      extra.store(builder, this.getExtra(edge));
      store(builder, edge.value as V);
    }
  }
}

function newLeaf<V, E>({ key, start, end }: EdgeLabel, value: V): Edge<V, E> {
  return { key, start, end, left: null, right: null, value, cell: null, extra: undefined };
}

function newFork<V, E>(
  { key, start, end }: EdgeLabel,
  left: Edge<V, E> | null,
  right: Edge<V, E> | null,
): Edge<V, E> {
  return { key, start, end, left, right, value: undefined, cell: null, extra: undefined };
}

function countLeaves<V, E>(top: Edge<V, E>): number {
  let count = 0;
  const path = [top];
  for (let edge = path.pop(); edge; edge = path.pop()) {
    if (edge.left && edge.right) path.push(edge.left, edge.right);
    else count++;
  }
  return count;
}
