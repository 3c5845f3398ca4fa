import { Type } from 'typebox';
import { type Form, readable } from './form.ts';

/** The words that mean true and false; the empty text may be one. */
export interface TruthWords {
  readonly yes: ReadonlySet<string>;
  readonly no: ReadonlySet<string>;
  /** Case counts. */
  readonly isExact: boolean;
}

/** Boolean that a text means; null for no word of either list. */
export function parseTruth(text: string, { yes, no, isExact }: TruthWords): boolean | null {
  const word = isExact ? text : text.toLowerCase();
  if (yes.has(word)) return true;
  return no.has(word) ? false : null;
}

/** A truth value: a JSON boolean, or a word; numbers count as their text. */
export function boolean(words: TruthWords): Form<boolean> {
  return {
    schema: Type.Boolean(),
    read(value) {
      if (typeof value === 'boolean') return value;
      const isText = typeof value === 'string' || typeof value === 'number';
      return readable(isText ? parseTruth(String(value), words) : null);
    },
  };
}
