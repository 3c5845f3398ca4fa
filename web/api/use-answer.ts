import { useEffect, useState } from 'preact/hooks';
import { type Answer, type ApiPath, getJson, type Parameters, type RequestError, toUrl } from './request.ts';

/** State of a request. An older answer stays while a newer one loads or fails. */
export interface Loaded<T> {
  readonly url: string;
  readonly answer: T | null;
  readonly error: RequestError | null;
}

export interface PollOptions {
  /** Milliseconds between two requests; 0 or absent: one request. */
  readonly pollMs?: number;
}

/** Loads a URL, and again every `pollMs` while the page is visible. Waits longer if the server asks for it. */
export function useJson<T>(url: string | null, { pollMs = 0 }: PollOptions = {}): Loaded<T> {
  const [state, setState] = useState<Loaded<T>>({ url: url ?? '', answer: null, error: null });
  useEffect(() => {
    if (url === null) return;
    const control = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = async (): Promise<void> => {
      let waitMs = pollMs;
      if (!document.hidden)
        try {
          const answer = await getJson<T>(url, { signal: control.signal });
          if (!control.signal.aborted) setState({ url, answer, error: null });
        } catch (error) {
          if (control.signal.aborted) return;
          const failure = error as RequestError;
          // A page that does not poll also waits for a busy server and an index that begins.
          waitMs = Math.max(waitMs, failure.retryMs ?? 0);
          setState((before) => ({ url, answer: before.url === url ? before.answer : null, error: failure }));
        }
      if (waitMs > 0 && !control.signal.aborted) timer = setTimeout(load, waitMs);
    };
    void load();
    return () => {
      control.abort();
      clearTimeout(timer);
    };
  }, [url, pollMs]);
  return state.url === url ? state : { url: url ?? '', answer: null, error: null };
}

/** Loads a path of the API; null loads nothing. */
export function useAnswer<P extends ApiPath>(
  path: P | null,
  parameters?: Parameters,
  options?: PollOptions,
): Loaded<Answer<P>> {
  return useJson(path === null ? null : toUrl(path, parameters), options);
}
