import type { DecoderCode, LogIdentity } from '../../engine/projection/projection.ts';
import type { VerifyLevel } from '../../ton/decode/decode-block.ts';
import { parseStartLts } from '../../ton/decode/start-lts.ts';
import type { KernelDecoderOptions } from './kernel-decoder.ts';
import { withLateStates } from './late-start-lts.ts';
import { SCHEMAS } from './schemas.ts';

/** Blocks of a chain are also proved by their neighbours; an isolated block only by its cells. */
function getVerifyLevel(continuity: string | undefined, setting: string): VerifyLevel {
  if (setting !== 'auto') return setting as VerifyLevel;
  return continuity === 'isolated' ? 'root' : 'tx';
}

/** Memory of decoded chunks that decoders of a process share. */
const SHARED_BYTES = 96 << 20;

const MAX_UINT64 = (1n << 64n) - 1n;

/** Logical time from which messages were surely sent by an indexed transaction; beyond all for unrelated blocks. */
function indexedFromLt({
  continuity,
  start_lt: starts = '0',
  made_start_lt: made = starts,
}: LogIdentity['facts']): string {
  return String(continuity === 'isolated' ? MAX_UINT64 : parseStartLts(made).highest);
}

/** The kernel, on whatever thread it is loaded. */
export const KERNEL_CODE: DecoderCode = {
  inStore: withLateStates,
  module: new URL('./kernel-decoder.ts', import.meta.url).href,
  buildOptions: ({ network, facts }, { verifyLevel, threads = 1 }): KernelDecoderOptions => ({
    schemas: SCHEMAS,
    network,
    verify: getVerifyLevel(facts.continuity, verifyLevel),
    startLts: facts.start_lt ?? '0',
    indexedFromLt: indexedFromLt(facts),
    sharedBytes: Math.floor(SHARED_BYTES / threads),
  }),
};
