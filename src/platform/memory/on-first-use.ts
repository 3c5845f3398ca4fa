/** Makes a value when it is first used. An LRU cache for 100,000 entries takes their memory at once, and a start its time. */
export function onFirstUse<T extends object>(make: () => T): () => T {
  let made: T | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

/**
 * Makes a value for each owner when the owner first needs it. It is removed with its owner. A process may have several stores, whose
 * databases have equal names: caches of their rows belong to the store's client.
 */
export function perOwner<Owner extends object, T extends object>(make: () => T): (owner: Owner) => T {
  const made = new WeakMap<Owner, T>();
  return (owner) => {
    const known = made.get(owner);
    if (known) return known;
    const value = make();
    made.set(owner, value);
    return value;
  };
}
