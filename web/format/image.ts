/** Address of an image if it begins with an address, which ends with a slash; else null. Dots cannot leave the path. */
export function toImageAddress(text: unknown, base: string | null): string | null {
  if (base === null || typeof text !== 'string' || !URL.canParse(text)) return null;
  const { href } = new URL(text);
  return href.startsWith(base) ? href : null;
}
