import type { LogIdentity } from '../../log/port.ts';
import type { PositionRange } from '../ranges/position-ranges.ts';
import type { TableProjection } from './projection.ts';
import type { StoreDatabase } from './stored-input.ts';

/** Result of one check. */
export interface CheckResult {
  readonly name: string;
  /** The statement that a clean check proves, in words. */
  readonly law: string;
  readonly problems: number;
  /** The first breaches, in words. */
  readonly samples: readonly string[];
  /** Why the check was left out. */
  readonly skipped?: string;
}

/** Why a check that counts from the first step of a projection is left out. */
export const NO_BEGINNING = '`base` has not confirmed the first steps of the projection yet';

/** A version of a projection's tables, and what of it is confirmed. */
export interface AuditOptions extends StoreDatabase {
  readonly identity: LogIdentity;
  /** The confirmed range that answers come from; null where nothing is. */
  readonly visible: PositionRange | null;
  /** Condition on the position: steps that may be on their way into the store. Default: none is. */
  readonly open?: () => Promise<string>;
  /** The current confirmed range, for an index that may grow meanwhile. Default: `visible`. */
  readonly readRange?: () => Promise<PositionRange | null>;
  readonly onProgress: (done: number, total: number, check: string) => void;
  readonly signal: AbortSignal;
}

/** Counts of rows that are not what they should be. */
export interface RowDamage {
  readonly problems: number;
  readonly samples: readonly string[];
}

/**
 * Portion of a continuous proof: a stretch of visible steps, or some of `accountParts` parts of the accounts: `count`
 * of them (default 1) from `accounts` on.
 */
export type AuditPart =
  | { readonly steps: PositionRange }
  | { readonly accounts: number; readonly count?: number };

/** Invariants of the tables of a projection: `verify` reports breaches, a repair restores them. */
export interface TableAudit {
  /** Every check of the tables against each other. */
  verify(options: AuditOptions): Promise<readonly CheckResult[]>;
  /** The checks of only one part, on one thread of the store. */
  verifyPart(options: AuditOptions, part: AuditPart): Promise<readonly CheckResult[]>;
  /** Parts that the accounts are looked at in. */
  readonly accountParts: number;
  /** The checks of tables that merge rows: no step counts their rows. */
  verifyDerived(options: AuditOptions): Promise<readonly CheckResult[]>;
  /** Steps that hold other rows than were counted for them, or rows that nothing confirms. `open`: as in `AuditOptions`. */
  damagedSteps(store: StoreDatabase, identity: LogIdentity, open: string): Promise<readonly PositionRange[]>;
  /** Steps of the confirmed ranges that hold no rows where each step must. */
  emptySteps(
    store: StoreDatabase,
    identity: LogIdentity,
    confirmed: readonly PositionRange[],
  ): Promise<readonly PositionRange[]>;
  /** Measures what was written last: after an unclean end of the server it is what may be lost. One server only. */
  recentDamage(store: StoreDatabase, identity: LogIdentity): Promise<RowDamage>;
}

/** A projection whose tables can be verified and repaired. */
export interface AuditedProjection extends TableProjection {
  readonly audit: TableAudit;
}
