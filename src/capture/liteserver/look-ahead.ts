/**
 * Reads a sequence ahead: pulls items while `hasRoom` allows it, also while the caller uses an earlier one. Every item is
 * given to `onItem` when it is pulled. A failure comes after the items before it. `stop` is called when the caller has
 * enough: it must end a read that is under way.
 */
export async function* lookAhead<T>(
  source: AsyncIterator<T>,
  hasRoom: (waiting: number) => boolean,
  { onItem, stop }: { readonly onItem: (item: T) => void; readonly stop: () => void },
): AsyncGenerator<T> {
  const items: T[] = [];
  let pulling: Promise<void> | null = null;
  let failure: { readonly error: unknown } | null = null;
  let isOver = false;
  const pull = () => {
    if (pulling || isOver || (items.length > 0 && !hasRoom(items.length))) return;
    pulling = source.next().then(
      ({ done, value }) => {
        pulling = null;
        if (done) isOver = true;
        else {
          items.push(value);
          onItem(value);
          pull();
        }
      },
      (error: unknown) => {
        pulling = null;
        isOver = true;
        failure = { error };
      },
    );
  };
  try {
    for (;;) {
      pull();
      while (items.length === 0 && pulling) await pulling;
      const item = items.shift();
      if (item !== undefined) yield item;
      else if (failure) throw (failure as { readonly error: unknown }).error;
      else if (isOver) return;
    }
  } finally {
    isOver = true;
    stop();
    await source.return?.();
  }
}
