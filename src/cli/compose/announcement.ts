import type { Session } from '../session.ts';

/** Interval of checks for the first block; the server knows its visible blocks, so a check costs nothing. */
const CHECK_MS = 50;

/** Served API, as far as its announcement needs it. */
export interface Announced {
  readonly url: string;
  /** True if a block is visible, so requests can be answered. */
  isAnswerable(): boolean;
}

/**
 * Logs the address of the APIs once, when the first block can be answered. Until then it logs that the server waits, and
 * requests get 503.
 */
export class Announcement {
  readonly #served: Announced;
  readonly #network: string;
  readonly #session: Pick<Session, 'log' | 'signal'>;
  #isMade = false;

  private constructor(served: Announced, network: string, session: Pick<Session, 'log' | 'signal'>) {
    this.#served = served;
    this.#network = network;
    this.#session = session;
  }

  /** Announces now if a block is visible, otherwise as soon as one is. Ends with the session. */
  static start(served: Announced, network: string, session: Pick<Session, 'log' | 'signal'>): Announcement {
    const announcement = new Announcement(served, network, session);
    if (!announcement.check()) {
      session.log.info({ url: served.url }, 'waiting for the first block; requests get 503 until then');
      announcement.#wait();
    }
    return announcement;
  }

  /** Announces if it is time. Returns true if it was announced, now or before. */
  check(): boolean {
    if (this.#isMade || !this.#served.isAnswerable()) return this.#isMade;
    this.#isMade = true;
    const { url } = this.#served;
    const v3 = `${url}/api/v3/index.html`;
    this.#session.log.info({ network: this.#network, v3, v2: `${url}/api/v2/index.html` }, 'answering');
    return true;
  }

  #wait(): void {
    const { signal } = this.#session;
    const timer = setInterval(() => {
      if (this.check()) clearInterval(timer);
    }, CHECK_MS).unref();
    signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  }
}
