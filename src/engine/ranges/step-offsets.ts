/** Records of a step at most. */
const OFFSETS_A_STEP = 65_536;

/**
 * Offset of a step's first record where offsets follow from positions: a replay reads records that no lane has, and a
 * projection in chain order reads all lanes as one.
 */
export const offsetOf = (position: number): number => position * OFFSETS_A_STEP;

/** Position of the first step that begins at such an offset or behind it. */
export const stepFrom = (offset: number): number => Math.ceil(offset / OFFSETS_A_STEP);
