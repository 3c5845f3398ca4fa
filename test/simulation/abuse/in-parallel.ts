/** Works through the items, so many at a time; results in the order of the items. */
export async function inParallel<T, R>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T, at: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const iterator = items[Symbol.iterator]();
  let next = 0;
  const worker = async () => {
    for (let item = iterator.next(); !item.done; item = iterator.next()) {
      const at = next++;
      results[at] = await work(item.value, at);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
