import type { Bounds } from './attack.ts';

/** The default bounds of an attack; docs/security.md lists them. */
export const USUAL_BOUNDS: Bounds = {
  stallMs: 1_500,
  honestP99Ms: 8_000,
  honestServed: 0.5,
  growthMb: 1_000,
  logBytes: 256 * 1024,
};

/** How long after an attack every honest call must be answered rightly, ms. */
export const RECOVERY_MS = 40_000;
