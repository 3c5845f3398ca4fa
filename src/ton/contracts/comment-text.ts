/** The text of a comment's bytes: UTF-8 without NUL; bytes that are not UTF-8 are shown as `\xNN`. */
export function commentText(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  return (text.includes('\ufffd') ? escaped(bytes) : text).replaceAll('\0', '');
}

/** Length in bytes of the UTF-8 sequence at a place; 0 where none begins. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  const length =
    first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length < 2) return length;
  const decoded = new TextDecoder().decode(bytes.subarray(at, at + length));
  return [...decoded].length === 1 && (decoded !== '\ufffd' || isReplacementSign(bytes, at)) ? length : 0;
}

/** True for U+FFFD that the text itself contains. */
function isReplacementSign(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd;
}

function escaped(bytes: Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    text +=
      length === 0
        ? `\\x${bytes[at]!.toString(16).padStart(2, '0')}`
        : decoder.decode(bytes.subarray(at, at + length));
    at += length || 1;
  }
  return text;
}
