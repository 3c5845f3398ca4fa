const POLL_INTERVAL_MS = 500;

/**
 * Calls `onGone` once, when the process that started this one is gone: one that was killed passes no signal on. Returns
 * what ends the watch; it does not keep the process alive.
 */
export function watchLauncher(onGone: () => void): () => void {
  const launcher = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === launcher) return;
    clearInterval(timer);
    onGone();
  }, POLL_INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
