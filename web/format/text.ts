/** Characters that are invisible, or change the direction of text around them. Not lines, tabs and the joiner of emoji. */
const HIDDEN = /(?![\n\t\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text from the chain with hidden characters as `\uXXXX`, cut to a length. */
export function toPrintable(text: string, length = 1_000): string {
  const cut = text.length > length ? `${text.slice(0, length)}…` : text;
  return cut.replace(HIDDEN, (one) => `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
}

/** The beginning and the end of a long name. */
export function shorten(text: string, start = 6, end = 6): string {
  return text.length <= start + end + 1 ? text : `${text.slice(0, start)}…${text.slice(-end)}`;
}

/** `jetton_transfer` → `jetton transfer`. */
export function toWords(name: string): string {
  return name.replaceAll('_', ' ');
}
