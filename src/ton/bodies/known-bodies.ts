import { BodyDecoder } from './body-decoder.ts';
import { bodyLayouts } from './body-layouts.ts';

let known: BodyDecoder | null = null;

/** The decoder of the layouts that come with the product, made when it is first asked for. */
export function knownBodies(): BodyDecoder {
  known ??= new BodyDecoder(bodyLayouts());
  return known;
}
