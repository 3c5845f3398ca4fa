/** A signal that comes again within this is the same one, passed on. */
const REPEAT_MS = 1_000;
/** Slower closes are logged, milliseconds: an operator who waits sees the reason. */
const SLOW_MS = 8_000;

/** Called for a part that could not be closed. */
export type CloseFailure = (name: string, error: unknown) => void;
/** Called for a part that is still closing. */
export type SlowClose = (name: string) => void;

/** Closes what was opened, last first, once: by a signal, an error or the end of the work. */
export class Shutdown {
  readonly #closers: { name: string; close: () => Promise<void> | void }[] = [];
  readonly #controller = new AbortController();
  #closing: Promise<void> | null = null;

  /** Aborts when the process is asked to stop. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  add(name: string, close: () => Promise<void> | void): void {
    this.#closers.push({ name, close });
  }

  /** Asks the work to end; what is open stays open until `close`. */
  request(): void {
    this.#controller.abort();
  }

  /** Closes everything. A failing closer is reported and does not stop the others. */
  close(failed: CloseFailure, slow: SlowClose = () => {}): Promise<void> {
    this.#controller.abort();
    this.#closing ??= this.#closeAll(failed, slow);
    return this.#closing;
  }

  async #closeAll(failed: CloseFailure, slow: SlowClose): Promise<void> {
    for (const { name, close } of this.#closers.reverse()) {
      const timer = setTimeout(slow, SLOW_MS, name);
      try {
        await close();
      } catch (error) {
        failed(name, error);
      } finally {
        clearTimeout(timer);
      }
    }
  }

  /**
   * SIGINT and SIGTERM request the end; a later second one ends the process at once. One key press may arrive twice: a
   * terminal signals the whole group, and npm and bin/tonhouse pass on what they get.
   */
  onSignals(announce: (signal: string) => void): () => void {
    // Signals are counted: a first one that meets a session which is closing anyway must not cut that short.
    let first: number | null = null;
    const handler = (signal: NodeJS.Signals) => {
      if (first !== null) {
        if (performance.now() - first > REPEAT_MS) process.exit(130);
        return;
      }
      first = performance.now();
      announce(signal);
      this.request();
    };
    process.on('SIGINT', handler);
    process.on('SIGTERM', handler);
    return () => {
      process.off('SIGINT', handler);
      process.off('SIGTERM', handler);
    };
  }
}
