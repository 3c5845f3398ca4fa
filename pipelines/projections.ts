import type { TableProjection } from '../src/engine/projection/projection.ts';
import { BASE } from './base.ts';

/** Every projection into tables of the store; those that another one needs stand before it. */
export const PROJECTIONS: readonly TableProjection[] = [BASE];
