/** A priority queue: the lowest first. */
export class Heap<T> {
  private readonly items: T[] = [];
  private readonly compare: (a: T, b: T) => number;

  constructor(compare: (a: T, b: T) => number) {
    this.compare = compare;
  }

  push(item: T): void {
    const { items } = this;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.compare(items[at]!, items[parent]!) >= 0) break;
      this.swap(at, parent);
      at = parent;
    }
  }

  pop(): T | undefined {
    const { items } = this;
    const first = items[0];
    const last = items.pop();
    if (items.length > 0) {
      items[0] = last!;
      this.sink();
    }
    return first;
  }

  private sink(): void {
    const { items } = this;
    for (let at = 0; ; ) {
      let child = 2 * at + 1;
      if (child >= items.length) return;
      if (child + 1 < items.length && this.compare(items[child + 1]!, items[child]!) < 0) child++;
      if (this.compare(items[child]!, items[at]!) >= 0) return;
      this.swap(at, child);
      at = child;
    }
  }

  private swap(a: number, b: number): void {
    [this.items[a], this.items[b]] = [this.items[b]!, this.items[a]!];
  }
}
