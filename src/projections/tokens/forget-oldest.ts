/** Deletes the oldest entries beyond `most`, of those that are stored. */
export function forgetOldest<V>(
  entries: Map<string, V>,
  most: number,
  isStored: (value: V) => boolean,
): void {
  for (const [key, value] of entries) {
    if (entries.size <= most) return;
    if (isStored(value)) entries.delete(key);
  }
}
