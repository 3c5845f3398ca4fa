import { ACTIVITY_SUMS } from './activity-sums.ts';
import { BASE_SUMS } from './base-sums.ts';
import { LAKE_SUMS } from './lake-sums.ts';
import type { Sums } from './sums.ts';
import { CONTRACT_SUMS } from './token-sums.ts';

/** Sums of all projections. */
export const ALL_SUMS: readonly Sums[] = [...BASE_SUMS, ...CONTRACT_SUMS, ...LAKE_SUMS, ...ACTIVITY_SUMS];
