import { DECODE } from '../../../pipelines/decode.ts';
import type { KernelDecoderOptions } from '../../stages/decode/kernel-decoder.ts';

/** The code that makes rows of `base`: its version, and the module that decodes. Tests plug in an older one. */
export interface BaseCode {
  readonly version: number;
  /** Address of a module that exports `createDecoder` (src/stages/decode/decode-worker.ts). */
  readonly module: string;
  /** What that is called with, made of what this checkout's decoder is called with; default: just that. */
  readonly optionsOf?: (options: KernelDecoderOptions) => unknown;
}

/** The code of this checkout. */
export const BASE_CODE: BaseCode = {
  version: DECODE.version,
  module: new URL('../../stages/decode/kernel-decoder.ts', import.meta.url).href,
};

/** Number of a new store's first version, whatever code builds it; replays count up from it. */
export const FIRST_VERSION = 1;

/** Consumer group that writes a version: each has offsets and a journal of its own. */
export function groupOf(version: number): string {
  return version === FIRST_VERSION ? DECODE.group : `${DECODE.group}-v${version}`;
}
