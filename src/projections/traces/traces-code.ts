import type { DecoderCode } from '../../engine/projection/projection.ts';
import { KERNEL_CODE } from '../records/kernel-code.ts';
import { withLateStates } from '../records/late-start-lts.ts';

/** The kernel, of whose rows traces are made. */
export const TRACES_CODE: DecoderCode = {
  module: new URL('./traces-decoder.ts', import.meta.url).href,
  buildOptions: KERNEL_CODE.buildOptions,
  inStore: withLateStates,
};
