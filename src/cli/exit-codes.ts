import { STOPPED_CODE } from '../platform/observability/shutdown.ts';

/** Exit codes for scripts. */
export const EXIT = {
  ok: 0,
  /** Something is wrong: dead letters, a failed check, a source that does not fit. */
  failed: 1,
  /** The command line or a setting cannot be used; nothing was started. */
  usage: 2,
  /** The store was made by an older release, and the command changes nothing: `tonhouse migrate`. */
  olderStore: 3,
  /** A signal stopped the command before its work was finished. */
  stopped: STOPPED_CODE,
} as const;
