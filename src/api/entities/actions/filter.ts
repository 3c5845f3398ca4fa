import type { AccountId } from '../../query/account-id.ts';
import type { ScanPlace } from '../../query/cursor.ts';
import { ID, keyset, U64 } from '../../query/keyset.ts';
import type { TraceRow } from '../traces/model.ts';
import type { ActionRow } from './model.ts';

/** Filters of a list of actions (v3-endpoints.md 4.3); all hold together. Hashes are 64 hex digits, bounds inclusive. */
export interface ActionFilter {
  /** Takes part in the action. */
  readonly account?: AccountId;
  /** The action is of one of these traces; an empty list leaves nothing. */
  readonly traces?: readonly Pick<TraceRow, 'end_lt' | 'trace8' | 'mc_seqno_end'>[];
  /** Here and in the next two lists, an empty one is no filter. */
  readonly txHashes?: readonly string[];
  readonly msgHashes?: readonly string[];
  readonly actionIds?: readonly string[];
  /** Masterchain block that the trace ended in. */
  readonly mcSeqno?: number;
  /** Bounds of the trace's end. */
  readonly startUtime?: number;
  readonly endUtime?: number;
  readonly startLt?: bigint;
  readonly endLt?: bigint;
  readonly types: ActionTypes;
  /** Place of a scan: the list from here on, always by lt. */
  readonly scan?: ScanPlace<ActionPlace>;
}

/** The place of an action in a list by lt; lts and `trace8` decimal, the id 64 upper-case hex digits. */
export interface ActionPlace {
  readonly traceEndLt: string;
  readonly trace8: string;
  readonly endLt: string;
  readonly actionId: string;
}

/** Which types of actions are listed. */
export interface ActionTypes {
  /** Types that the client shows: an action that is folded into one of them is not listed. */
  readonly supported: ReadonlySet<string>;
  /** Only these; an empty list means the types that the client shows. */
  readonly wanted: readonly string[];
  /** None of these. */
  readonly excluded: readonly string[];
}

/** With a time bound the list is ordered by time; scans are by lt. */
export function isByTime({ startUtime, endUtime, scan }: ActionFilter): boolean {
  if (scan) return false;
  return startUtime !== undefined || endUtime !== undefined;
}

/** Places of `/actions`. */
export const ACTIONS = keyset<ActionPlace>(
  { list: 'a', isResumable: true },
  { traceEndLt: U64, trace8: U64, endLt: U64, actionId: ID },
);

export function actionPlace({ traceEndLt, trace8, endLt, actionId }: ActionRow): ActionPlace {
  const id = Buffer.from(actionId, 'base64').toString('hex').toUpperCase();
  return { traceEndLt, trace8, endLt, actionId: id };
}
