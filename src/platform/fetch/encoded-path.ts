/** `/`, `\` and `.` as percent codes, encoded once or several times. */
const ENCODED = /%(?:25)*(?:2f|5c|2e)/i;

/** True if a server that decodes the text may take it for another path. */
export function hasEncodedPath(text: string): boolean {
  return ENCODED.test(text);
}
