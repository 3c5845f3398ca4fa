/** Variant of the digits: `base64` has `+` and `/`, `base64url` has `-` and `_`. */
export type Base64Alphabet = 'base64' | 'base64url';

/** Base64 with padding, in the alphabet asked for. */
export function toBase64(bytes: Uint8Array, alphabet: Base64Alphabet = 'base64'): string {
  return alphabet === 'base64' ? bytes.toBase64() : bytes.toBase64({ alphabet });
}

/**
 * Decodes base64; null for invalid text. Accepts either alphabet, but not both in one text. Padding may be absent but
 * not wrong. Spaces and line breaks are refused. Unused bits of the last digit must be zero, so that each value has one
 * text per alphabet and padding.
 */
export function fromBase64(text: string): Uint8Array | null {
  // The decoder of the platform skips ASCII white space, wherever it is.
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) <= 0x20) return null;
  const padded = text.endsWith('=') ? text : text + '='.repeat(-text.length & 3);
  const alphabet = text.includes('-') || text.includes('_') ? 'base64url' : 'base64';
  try {
    return Uint8Array.fromBase64(padded, { alphabet, lastChunkHandling: 'strict' });
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
