/** Ids of methods as the columns `methods` have them: four bytes each, little endian. */
export function packMethods(methods: readonly number[]): Uint8Array {
  const ids = Buffer.alloc(methods.length * 4);
  for (const [i, id] of methods.entries()) ids.writeUInt32LE(id, i * 4);
  return ids;
}

/** Reads the same. */
export function unpackMethods(packed: Buffer): number[] {
  return Array.from({ length: packed.length / 4 }, (_, i) => packed.readUInt32LE(i * 4));
}
