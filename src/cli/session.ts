import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { isLaunched } from '../platform/config/launcher.ts';
import type { Environment } from '../platform/config/resolve-settings.ts';
import { resolveSettings } from '../platform/config/resolve-settings.ts';
import { watchLauncher } from '../platform/observability/launcher-watch.ts';
import { createLog, type Log } from '../platform/observability/log.ts';
import { Metrics } from '../platform/observability/metrics/metrics.ts';
import { Shutdown } from '../platform/observability/shutdown.ts';
import { deferBufferCollection } from '../platform/threads/external-memory.ts';

/** Session of a command: a log, an orderly end, a name for leases. */
export interface Session {
  readonly log: Log;
  readonly shutdown: Shutdown;
  readonly signal: AbortSignal;
  /** Name of this process in leases and locks. */
  readonly owner: string;
  /** Metrics of the process; shown if a command answers `/metrics`. */
  readonly metrics: Metrics;
}

/** Runs a command's work in a session: signals end it in order, whatever was opened is closed, last first. */
export async function runSession<T>(
  flags: Readonly<Record<string, unknown>>,
  work: (session: Session) => Promise<T>,
  environment?: Environment,
): Promise<T> {
  deferBufferCollection();
  const { logLevel, logFormat } = resolveSettings(['logLevel', 'logFormat'], flags, environment);
  const log = createLog(logLevel, logFormat);
  const shutdown = new Shutdown();
  const unhook = shutdown.onSignals((signal) =>
    log.info({ signal }, 'stopping; a second signal ends at once'),
  );
  const unwatch = isLaunched(environment) ? watchLauncher(() => stopLaunched(shutdown, log)) : () => {};
  const owner = `${hostname()}:${process.pid}:${randomBytes(3).toString('hex')}`;
  try {
    return await work({ log, shutdown, signal: shutdown.signal, owner, metrics: new Metrics() });
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
  log.info({}, 'the process that started this one is gone: stopping');
  shutdown.request();
}

/** Whether the error is the signal's reason: work that was waiting when the end was asked for did not fail. */
export function wasStopped({ signal }: Pick<Session, 'signal'>, error: unknown): boolean {
  return signal.aborted && error === signal.reason;
}
