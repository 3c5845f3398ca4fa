/** Settles as `work` does, or fails after `limitMs`. The work itself goes on. */
export async function withLimit<T>(work: Promise<T>, limitMs: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`expected an end within ${limitMs / 1_000} s`)), limitMs);
  // It may fail after the limit.
  work.catch(() => {});
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
