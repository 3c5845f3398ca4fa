import type { AccountId } from '../../query/account-id.ts';
import type { ScanPlace } from '../../query/cursor.ts';
import type { MessageKey } from './key.ts';

/** Filters of a list of messages; all hold together. Hashes are 64 hex digits, bounds inclusive. */
export interface MessageFilter {
  /** Message hash or normalised hash, any of these; an empty list is no filter. */
  readonly hashes?: readonly string[];
  readonly bodyHash?: string;
  /** null: messages without source, which are the external-in ones. */
  readonly source?: AccountId | null;
  /** null: messages without destination, which are the external-out ones. */
  readonly destination?: AccountId | null;
  /** Unsigned. */
  readonly opcode?: number;
  /** Only the side that received (`in`) or sent (`out`) the message. */
  readonly direction?: 'in' | 'out';
  /** Externals here are messages without creation lt: external-in. */
  readonly externals?: 'exclude' | 'only';
  readonly startUtime?: number;
  readonly endUtime?: number;
  readonly startLt?: bigint;
  readonly endLt?: bigint;
  /** Place of a scan: the list from here on, by creation lt, ties by the hash itself. */
  readonly scan?: MessageScan;
}

/** The place of a scan among messages. */
interface MessageScan extends ScanPlace<MessageKey> {
  /** The page begins with the message of the position itself. Default: after it. */
  readonly isAfterIncluded?: boolean;
}

/** A list with a time bound is ordered by creation time, any other and every scan by creation lt. */
export function isOrderedByTime(filter: MessageFilter): boolean {
  return !filter.scan && hasTimeBound(filter);
}

function hasTimeBound(filter: MessageFilter): boolean {
  return filter.startUtime !== undefined || filter.endUtime !== undefined;
}

/**
 * Which of the two segments of the order a filter leaves: external-in messages have neither lt nor time, so that
 * every bound excludes them.
 */
export function getSegments(filter: MessageFilter): { readonly external: boolean; readonly dated: boolean } {
  const bounded = hasTimeBound(filter) || filter.startLt !== undefined || filter.endLt !== undefined;
  return {
    external: !bounded && filter.externals !== 'exclude' && filter.destination !== null && !filter.source,
    dated: filter.externals !== 'only' && filter.source !== null,
  };
}
