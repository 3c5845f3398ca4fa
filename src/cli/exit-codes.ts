import { OUTCOMES } from '../platform/errors/error-kinds.ts';

/** Exit codes for scripts. */
export const EXIT = {
  ok: 0,
  /** Something is wrong: dead letters, a failed check, a source that does not fit. */
  failed: OUTCOMES.data.exitCode,
  /** The command line or a setting cannot be used; nothing was started. */
  usage: OUTCOMES.usage.exitCode,
  /** A signal stopped the command before its work was finished. */
  stopped: OUTCOMES.interrupted.exitCode,
} as const;
