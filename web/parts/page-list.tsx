import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Pages } from '../api/use-pages.ts';
import { Failure, Notice } from './notice.tsx';

export interface PageListProps<T> {
  readonly pages: Pages<T>;
  /** Shown if the list has no rows. */
  readonly empty: string;
  readonly children: (answers: readonly T[]) => ComponentChildren;
}

/** A list that loads its next page when its end becomes visible, or with the button. */
export function PageList<T extends object>({ pages, empty, children }: PageListProps<T>) {
  const end = useRef<HTMLDivElement>(null);
  const next = useRef(pages.more);
  next.current = pages.more;
  const { answers, isComplete, isLoading, error } = pages;
  useEffect(() => {
    const element = end.current;
    if (!element || isComplete || error || answers.length === 0) return;
    const observer = new IntersectionObserver(
      (seen) => seen.some((one) => one.isIntersecting) && next.current(),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [answers.length, isComplete, error]);
  const isEmpty = isComplete && answers.every(hasNoRows);
  return (
    <>
      {isEmpty ? <Notice>{empty}</Notice> : answers.length > 0 && children(answers)}
      {error && <Failure error={error} />}
      <div ref={end} class="more">
        {isLoading && <span role="status">Loading…</span>}
        {!isLoading && !isComplete && (
          <button type="button" onClick={pages.more}>
            {error ? 'Try again' : 'More'}
          </button>
        )}
      </div>
    </>
  );
}

/** True if no list in the answer has a row. */
function hasNoRows(answer: object): boolean {
  return Object.values(answer).every((value) => !Array.isArray(value) || value.length === 0);
}
