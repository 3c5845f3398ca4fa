import type { DecoderCode } from '../../engine/projection/projection.ts';
import { KERNEL_CODE } from '../records/kernel-code.ts';
import { withLateStates } from '../records/late-start-lts.ts';

/** The kernel, of whose rows counters are made. */
export const ACTIVITY_CODE: DecoderCode = {
  module: new URL('./activity-decoder.ts', import.meta.url).href,
  buildOptions: KERNEL_CODE.buildOptions,
  inStore: withLateStates,
};
