import { ConflictError, UnavailableError } from '../../platform/errors/error-kinds.ts';
import { poll } from '../../platform/retry/poll.ts';
import { callControl, LocalnetRefusedError } from './control-client.ts';
import type { RequestedChange } from './snapshot-commands.ts';

const POLL_MS = 50;

/** The process that stores or reverts the chain is gone. */
class ChainEndedError extends UnavailableError {
  constructor({ kind, id }: RequestedChange, options: ErrorOptions) {
    super(
      `${kind} ${id}: the process ended; its log has the reason, and its next start makes the change`,
      options,
    );
  }
}

/** The chain continues without a requested change. */
class ChangeFailedError extends ConflictError {}

/**
 * Resolves when the restarted process has made a change and answers. @throws ChainEndedError, ChangeFailedError,
 * LocalnetRefusedError
 */
export async function awaitChange(directory: string, change: RequestedChange): Promise<void> {
  const last = await poll(() => readResult(directory, change), { everyMs: POLL_MS });
  if (last.number === change.number && last.error !== null)
    throw new ChangeFailedError(`${change.kind} ${change.id}: ${last.error}`);
}

/** The result; null while the process restarts. */
async function readResult(directory: string, change: RequestedChange) {
  try {
    const { last } = await callControl(directory, 'snapshots', {});
    return last !== null && last.number >= change.number && last;
  } catch (cause) {
    // Connections are refused and cut while it restarts.
    if (cause instanceof LocalnetRefusedError && cause.status < 500) throw cause;
    if (!isRunning(change.pid)) throw new ChainEndedError(change, { cause });
    return null;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
