import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { readGroupPlace } from '../platform/config/group-place.ts';
import { isHangupIgnored, isLaunched } from '../platform/config/launcher.ts';
import type { Environment } from '../platform/config/resolve-settings.ts';
import { resolveSettings } from '../platform/config/resolve-settings.ts';
import { namesIn } from '../platform/config/settings.ts';
import { getCauses } from '../platform/observability/error-facts.ts';
import { watchLauncher } from '../platform/observability/launcher-watch.ts';
import { createLog, type Log } from '../platform/observability/log.ts';
import { Metrics } from '../platform/observability/metrics/metrics.ts';
import { Shutdown } from '../platform/observability/shutdown.ts';
import { Waits } from '../platform/observability/waits.ts';
import { Peers } from '../platform/processes/peers.ts';
import { deferBufferCollection } from '../platform/threads/external-memory.ts';
import { adviseOnFullDisk, DiskFullError, readDiskPlace, withDiskAdvice } from './disk-space.ts';
import { StoppedError } from './stopped-error.ts';

/** Session of a command: a log, an orderly end, a name for leases. */
export interface Session {
  readonly log: Log;
  readonly shutdown: Shutdown;
  readonly signal: AbortSignal;
  /** Name of this process in leases and locks. */
  readonly owner: string;
  /** Metrics of the process; shown if a command answers `/metrics`. */
  readonly metrics: Metrics;
  /** The other processes of its group; absent: it is in none. */
  readonly peers?: Peers;
  /** Stages that wait, as health routes show them. Absent: nobody looks. */
  readonly waits?: Waits;
}

/**
 * Runs a command's work in a session: signals end it in order, whatever was opened is closed, last first.
 * @throws StoppedError if a signal ended the work, DiskFullError if a full disk did
 */
export async function runSession<T>(
  flags: Readonly<Record<string, unknown>>,
  work: (session: Session) => Promise<T>,
  environment?: Environment,
): Promise<T> {
  deferBufferCollection();
  const { logLevel, logFormat } = resolveSettings(namesIn('logging'), flags, environment);
  const place = () => readDiskPlace(flags, environment);
  const log = withDiskAdvice(createLog(logLevel, logFormat), place);
  const shutdown = new Shutdown();
  const survivesTerminal = isHangupIgnored(environment);
  const unhook = shutdown.onSignals(
    (signal) => log.info({ signal }, 'stopping; a second signal ends the process immediately'),
    !survivesTerminal,
  );
  // A hang-up ends npm, whose Node does not ignore it.
  const isWatched = isLaunched(environment) && !survivesTerminal;
  const unwatch = isWatched ? watchLauncher(() => stopLaunched(shutdown, log)) : () => {};
  const owner = `${hostname()}:${process.pid}:${randomBytes(3).toString('hex')}`;
  const metrics = new Metrics();
  const peers = readGroupPlace(environment) ? new Peers(metrics) : undefined;
  try {
    return await work({
      log,
      shutdown,
      signal: shutdown.signal,
      owner,
      metrics,
      waits: new Waits(),
      ...(peers && { peers }),
    });
  } catch (error) {
    if (wasStopped(shutdown, error)) throw new StoppedError(error);
    const advice = adviseOnFullDisk(error, place());
    throw advice === null ? error : new DiskFullError(advice, error as Error);
  } finally {
    await shutdown.close(
      (part, error) => log.error({ part, error }, 'could not be closed'),
      (part) => log.warn({ part }, 'still being closed'),
    );
    unhook();
    unwatch();
  }
}

function stopLaunched(shutdown: Shutdown, log: Log): void {
  log.info({}, 'the parent process has ended: stopping');
  shutdown.request();
}

/**
 * Runs a command that works until it is stopped: a stop is its ordinary end, also while it starts.
 * Resolves to what `work` gives, or to undefined after a stop that interrupted it.
 */
export async function runService<T>(
  flags: Readonly<Record<string, unknown>>,
  work: (session: Session) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await runSession(flags, work);
  } catch (error) {
    if (error instanceof StoppedError) return undefined;
    throw error;
  }
}

/** True if the error follows from the request to stop: work that was waiting when the request came did not fail. */
function wasStopped({ signal }: Pick<Session, 'signal'>, error: unknown): boolean {
  if (!signal.aborted || !(error instanceof Error)) return false;
  return [error, ...getCauses(error)].some((one) => one === signal.reason || one.name === 'AbortError');
}
