/** How often, and for how long, a condition is read. */
export interface PollOptions {
  /** Pause between two reads, milliseconds. */
  readonly everyMs: number;
  /** Each pause is twice as long as the one before, up to this, milliseconds. Default: all pauses are equal. */
  readonly maxMs?: number;
  /** Ends the polling, also during a pause. */
  readonly signal?: AbortSignal | undefined;
  /** True if the pauses do not keep the process alive. Default false. */
  readonly isBackground?: boolean;
}

/** A value, or null or false: not yet. */
type Reading<T> = T | null | false;

/**
 * Calls `read` until it returns a value, with a pause after each other call.
 * @throws what `read` throws, or the reason of the signal
 */
export async function poll<T>(
  read: () => Reading<T> | Promise<Reading<T>>,
  options: PollOptions,
): Promise<T> {
  return (await pollFor(read, Number.POSITIVE_INFINITY, options)) as T;
}

/**
 * Polls as `poll` does. Returns null if a read after more than `limitMs` milliseconds still returns no value.
 * @throws what `read` throws, or the reason of the signal
 */
export async function pollFor<T>(
  read: () => Reading<T> | Promise<Reading<T>>,
  limitMs: number,
  { everyMs, maxMs = everyMs, signal, isBackground = false }: PollOptions,
): Promise<T | null> {
  const begun = performance.now();
  for (let pauseMs = everyMs; ; pauseMs = Math.min(2 * pauseMs, maxMs)) {
    signal?.throwIfAborted();
    const value = await read();
    if (value !== null && value !== false) return value;
    if (performance.now() - begun > limitMs) return null;
    await pause(pauseMs, signal, { isBackground });
  }
}

/** Resolves after `ms` milliseconds, or earlier if the signal aborts. It never rejects and leaves no timer. */
export function pause(
  ms: number,
  signal?: AbortSignal,
  { isBackground = false }: Pick<PollOptions, 'isBackground'> = {},
): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
    resolve();
  };
  const timer = setTimeout(end, ms);
  if (isBackground) timer.unref();
  signal?.addEventListener('abort', end, { once: true });
  return promise;
}
