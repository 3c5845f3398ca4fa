import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { getJson, type Parameters, type RequestError, toUrl } from './request.ts';

/** Rows of a list that is read with cursors. */
export interface Pages<T> {
  /** The pages that were read, oldest first. */
  readonly answers: readonly T[];
  readonly error: RequestError | null;
  readonly isLoading: boolean;
  /** True if the last page was read. */
  readonly isComplete: boolean;
  readonly url: string;
  /** Reads the next page. */
  more(): void;
}

/** Reads a list page by page, the first at once (docs/api.md, Cursors). */
export function usePages<T extends { readonly next_cursor?: string | null }>(
  path: string,
  parameters: Parameters,
): Pages<T> {
  const first = toUrl(path, { ...parameters, cursor: '' });
  const [answers, setAnswers] = useState<readonly T[]>([]);
  const [error, setError] = useState<RequestError | null>(null);
  const [isLoading, setLoading] = useState(false);
  const current = useRef(first);
  const cursor = answers.at(-1)?.next_cursor;
  const isComplete = answers.length > 0 && !cursor;
  const load = useCallback(
    async (url: string) => {
      setLoading(true);
      try {
        const answer = await getJson<T>(url);
        if (current.current !== first) return;
        setAnswers((before) => (url === first ? [answer] : [...before, answer]));
        setError(null);
      } catch (failure) {
        if (current.current === first) setError(failure as RequestError);
      } finally {
        if (current.current === first) setLoading(false);
      }
    },
    [first],
  );
  useEffect(() => {
    current.current = first;
    setAnswers([]);
    setError(null);
    void load(first);
  }, [first, load]);
  const more = () => {
    if (!isLoading) void load(cursor ? toUrl(path, { ...parameters, cursor }) : first);
  };
  return { answers, error, isLoading, isComplete, url: first, more };
}
