import { Type } from 'typebox';
import { fromBase64 } from '../../ton/hash/base64.ts';
import { type Form, readable, toText } from './form.ts';

/** A bag of cells in the OpenAPI documents. */
export const BOC_TEXT = Type.String({ format: 'ton-boc', description: 'base64 of a bag of cells' });

/** A bag of cells as text; what it holds is looked at later. `isTolerant`: a space is a `+` that a form did not escape. */
export function bagOfCells({ isTolerant = false }: { readonly isTolerant?: boolean } = {}): Form<Uint8Array> {
  return {
    schema: BOC_TEXT,
    read(value) {
      const text = toText(value);
      return readable(fromBase64(isTolerant ? text.replaceAll(' ', '+') : text));
    },
  };
}
