/** Lower-case hex, two digits a byte. */
export function toHex(bytes: Uint8Array): string {
  return bytes.toHex();
}

/**
 * Decodes hex of either case; null if the text is not hex (odd length, a sign, a space, `0x`). The empty text is zero
 * bytes.
 */
export function fromHex(text: string): Uint8Array | null {
  try {
    return Uint8Array.fromHex(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
