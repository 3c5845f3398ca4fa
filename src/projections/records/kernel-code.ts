import { fileURLToPath } from 'node:url';
import type { DecoderCode } from '../../engine/projection/projection.ts';
import type { VerifyLevel } from '../../ton/decode/decode-block.ts';
import type { KernelDecoderOptions } from './kernel-decoder.ts';
import { withLateStates } from './late-start-lts.ts';

const SCHEMAS = fileURLToPath(new URL('../../../schemas/', import.meta.url));

/** Blocks of a chain are proved by their neighbours too; one that stands for itself has its cells alone. */
function verifyLevelOf(continuity: string | undefined, setting: string): VerifyLevel {
  if (setting !== 'auto') return setting as VerifyLevel;
  return continuity === 'isolated' ? 'root' : 'tx';
}

/** The kernel, on whatever thread it is loaded. */
export const KERNEL_CODE: DecoderCode = {
  inStore: withLateStates,
  module: new URL('./kernel-decoder.ts', import.meta.url).href,
  optionsOf: ({ network, facts }, { verifyLevel }): KernelDecoderOptions => ({
    schemas: SCHEMAS,
    network,
    verify: verifyLevelOf(facts.continuity, verifyLevel),
    startLts: facts.start_lt ?? '0',
  }),
};
