import { OUTCOMES } from '../errors/error-kinds.ts';
import { exitNow } from './exit-now.ts';

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
   * SIGINT, SIGTERM and SIGHUP request the end; a later second SIGINT or SIGTERM ends the process at once. One key press
   * may arrive twice: a terminal signals the whole group, and npm passes on what it gets. `hasTerminal`: false if the
   * process was started to survive its terminal, so that SIGHUP means nothing.
   */
  onSignals(announce: (signal: string) => void, hasTerminal = true): () => void {
    // Signals are counted: a first one that meets a session which is closing anyway must not cut that short.
    let first: number | null = null;
    const handler = (signal: NodeJS.Signals) => {
      // The terminal is gone, and with it whoever reads these streams.
      if (signal === 'SIGHUP') ignoreWriteErrors();
      if (first !== null) {
        // A terminal that closes while the process stops is no request to hurry.
        if (signal !== 'SIGHUP' && performance.now() - first > REPEAT_MS)
          exitNow(OUTCOMES.interrupted.exitCode);
        return;
      }
      first = performance.now();
      announce(signal);
      this.request();
    };
    const signals = ['SIGINT', 'SIGTERM', ...(hasTerminal ? ['SIGHUP'] : [])];
    for (const signal of signals) process.on(signal, handler);
    return () => {
      for (const signal of signals) process.off(signal, handler);
    };
  }
}

function ignoreWriteErrors(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}
