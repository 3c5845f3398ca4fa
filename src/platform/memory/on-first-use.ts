/** Makes a value when it is first used. An LRU cache for 100,000 entries takes their memory at once, and a start its time. */
export function onFirstUse<T extends object>(make: () => T): () => T {
  let made: T | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
