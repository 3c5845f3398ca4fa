/**
 * Control characters (C0, DEL, C1), format characters (direction, zero width) and separators of lines and paragraphs.
 * A terminal obeys them, a log gets lines that nobody wrote, and a reader sees another text.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const UNPRINTABLE_IN_LINES = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text of strangers as one line for a log or a terminal: unprintable characters become `\uXXXX`, as in JSON. */
export const printable = (text: string): string => text.replace(UNPRINTABLE, escaped);

/** Like `printable`, for our own lines: line feeds remain. JSON remains the same JSON. */
export const printableLines = (text: string): string => text.replace(UNPRINTABLE_IN_LINES, escaped);

/** The code units of a character: those beyond U+FFFF have two. */
function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, i) => unit(character.charCodeAt(i))).join('');
}

const unit = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`;
