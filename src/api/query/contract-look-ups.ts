import type { LookUps } from '../look-up-port.ts';
import type { ServeContext } from '../serve-context.ts';
import type { VisibleRange } from '../version-vector.ts';
import { getLookUps, knowsAllUpTo } from './look-ups.ts';

/** Scope of a read from the look-up index. */
export interface IndexScope {
  readonly context: Pick<ServeContext, 'lookUps' | 'vector'>;
}

/** The served version of `contracts`, and the database of `detections`; null if the store has none. */
export interface ContractDatabases {
  readonly database: string;
  readonly visible: VisibleRange;
  readonly detected: string | null;
}

/** A look-up of one of the databases of contracts. */
export interface ContractLookUps {
  readonly lookUps: LookUps;
  /** Name of the look-up. */
  readonly name: string;
  /** Visible steps of the database. */
  readonly visible: VisibleRange;
  /** True for the database of `detections`. */
  readonly isDetected: boolean;
}

/**
 * A look-up of contracts known by cells, and one of those that get methods identified. Null if the look-up index of this
 * server lacks one of them.
 */
export function getContractLookUps(
  { context }: IndexScope,
  { database, visible, detected }: ContractDatabases,
  names: { readonly cells: string; readonly detected: string },
): readonly ContractLookUps[] | null {
  const cells = getLookUps({ context }, database, names.cells);
  if (!cells) return null;
  const first = { lookUps: cells, name: names.cells, visible, isDetected: false };
  if (detected === null) return [first];
  const { detections } = context.vector();
  const found = getLookUps({ context }, detected, names.detected);
  if (!found || detections.state !== 'served' || detections.database !== detected) return null;
  const second = { lookUps: found, name: names.detected, visible: detections.visible, isDetected: true };
  return [first, second];
}

/** True if the index has all rows that are visible, so that what it lacks does not exist. */
export function knowsAllVisible(both: readonly ContractLookUps[]): boolean {
  return both.every(({ lookUps, visible }) => knowsAllUpTo(lookUps, visible));
}
