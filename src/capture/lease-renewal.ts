import type { LogWriter } from '../log/port.ts';
import { untilSharedMoment } from '../platform/retry/shared-moment.ts';

/** Keeps a writer's lease alive while the source gives nothing. */
export interface LeaseRenewal {
  /** Aborts when the lease is lost; the reason is the error. */
  readonly lost: AbortSignal;
  stop(): Promise<void>;
}

/** Renews every `everyMs`: an append of no steps only renews the lease. */
export function renewLease(writer: LogWriter, everyMs: number): LeaseRenewal {
  const lost = new AbortController();
  let renewing = Promise.resolve();
  let timer: NodeJS.Timeout;
  const pause = () => {
    timer = setTimeout(() => {
      renewing = renewing.then(() => writer.append([])).catch((error: unknown) => lost.abort(error));
      pause();
    }, untilSharedMoment(everyMs));
  };
  pause();
  return {
    lost: lost.signal,
    async stop() {
      clearTimeout(timer);
      await renewing;
    },
  };
}
