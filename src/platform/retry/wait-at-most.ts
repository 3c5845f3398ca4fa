/**
 * Resolves when `work` does, or after `ms` milliseconds, whichever is first. `work` never rejects. Leaves no timer, and ends none by an abort:
 * that would make an error with its stack each time.
 */
export function waitAtMost(work: Promise<unknown>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms).unref();
  void work.then(() => {
    clearTimeout(timer);
    resolve();
  });
  return promise;
}
