import { toBase64 } from '../ton/hash/base64.ts';

/** Base64 of bags of cells, made once for the same bytes: many entries of a stack may be one cell. */
export class BagTexts {
  private readonly texts = new Map<Uint8Array, string>();

  of(boc: Uint8Array): string {
    const known = this.texts.get(boc);
    if (known !== undefined) return known;
    const text = toBase64(boc);
    this.texts.set(boc, text);
    return text;
  }
}
