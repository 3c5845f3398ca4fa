import { CLIENT_GRACE_MS } from './client-options.ts';
import { type RequestFacts, StoreTimeoutError, toStoreError } from './store-errors.ts';

/**
 * Runs one request under the caller's signal and, a grace later than the server's own limit, the client's timer.
 * The timer is kept here, and not in the client library, so that its outcome is known by identity and not by text.
 */
export async function withLimits<T>(
  facts: RequestFacts,
  limits: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  limits.signal?.throwIfAborted();
  const controller = new AbortController();
  let late = false;
  const abort = () => controller.abort(limits.signal?.reason);
  limits.signal?.addEventListener('abort', abort, { once: true });
  const timer =
    limits.timeoutMs > 0
      ? setTimeout(() => {
          late = true;
          controller.abort();
        }, limits.timeoutMs + CLIENT_GRACE_MS)
      : undefined;
  try {
    return await run(controller.signal);
  } catch (error) {
    if (late) {
      const message = `no answer in ${limits.timeoutMs} ms`;
      throw new StoreTimeoutError({ code: 0, type: 'CLIENT_TIMEOUT', message }, facts, error);
    }
    if (limits.signal?.aborted) throw limits.signal.reason;
    throw toStoreError(error, facts);
  } finally {
    clearTimeout(timer);
    limits.signal?.removeEventListener('abort', abort);
  }
}
