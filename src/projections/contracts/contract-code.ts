import type { DecoderCode, LogIdentity } from '../../engine/projection/projection.ts';
import { parseStartLts } from '../../ton/decode/start-lts.ts';
import { KERNEL_CODE } from '../records/kernel-code.ts';
import type { KernelDecoderOptions } from '../records/kernel-decoder.ts';
import type { ContractDecoderOptions } from './contract-decoder.ts';

/** The kernel, of whose rows facts of token contracts are made. */
export const CONTRACT_CODE: DecoderCode = {
  module: new URL('./contract-decoder.ts', import.meta.url).href,
  buildOptions: (log, choices): ContractDecoderOptions => ({
    ...(KERNEL_CODE.buildOptions(log, choices) as KernelDecoderOptions),
    namesAbsent: lacksStates(log),
  }),
  ...(KERNEL_CODE.inStore && { inStore: KERNEL_CODE.inStore }),
};

/** Whether accounts may have states from before the index that it does not have whole. */
function lacksStates({ facts: { continuity, start_lt: starts = '0' } }: LogIdentity): boolean {
  return continuity === 'isolated' || parseStartLts(starts).highest > 0n;
}
