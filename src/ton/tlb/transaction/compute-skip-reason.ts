import type { CellSlice } from '../../boc/cell-slice.ts';
import { unknownTag } from '../tag.ts';

export type ComputeSkipReason = 'no_state' | 'bad_state' | 'no_gas' | 'suspended';

// cskip_no_state$00 = ComputeSkipReason;
// cskip_bad_state$01 = ComputeSkipReason;
// cskip_no_gas$10 = ComputeSkipReason;
// cskip_suspended$110 = ComputeSkipReason;
export function loadComputeSkipReason(slice: CellSlice): ComputeSkipReason {
  const tag = slice.uint(2);
  if (tag === 0b00) return 'no_state';
  if (tag === 0b01) return 'bad_state';
  if (tag === 0b10) return 'no_gas';
  if (!slice.bit()) return 'suspended';
  throw unknownTag(slice, 'ComputeSkipReason', 0b111);
}
