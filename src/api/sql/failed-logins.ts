import { LocalCounts } from '../../platform/counts/local-counts.ts';
import type { Peers } from '../../platform/processes/peers.ts';
import type { LoginLimit } from '../sql-port.ts';
import { TooManyLoginsError } from './sql-error.ts';

/** Failed logins of one address in a window. Passwords and keys are random: more attempts are no typing errors. */
export const MAX_FAILED_LOGINS = 10;
const WINDOW_MS = 60_000;
/** What processes of a server tell each other: addresses of failed logins. */
const TOPIC = 'failed logins';
/** Addresses with counts; beyond it the least recently seen restarts from zero. */
const MAX_ADDRESSES = 100_000;

/**
 * Limits failed logins by address, for all endpoints of SQL and all processes of a server. An address beyond the limit may not try a password until its
 * window ends, not even a right one: the answer must not say which it was.
 */
export class FailedLogins implements LoginLimit {
  readonly #counts: LocalCounts;
  readonly #peers: Peers | undefined;

  constructor({
    monotonic,
    peers,
  }: { readonly monotonic?: () => number; readonly peers?: Peers | undefined } = {}) {
    this.#peers = peers;
    const options = { windowMs: WINDOW_MS, mostNames: MAX_ADDRESSES };
    this.#counts = new LocalCounts(monotonic === undefined ? options : { ...options, monotonic });
    const said = (_from: number, address: unknown) => void this.#counts.add(String(address));
    peers?.listen(TOPIC, { said, joined() {}, gone() {} });
  }

  /** Runs a check of a password. @throws SqlError 401 of the check, 429 without a check */
  check<T>(address: string, login: () => T): T {
    const failed = this.#counts.read(address);
    if (failed !== null && failed.count >= MAX_FAILED_LOGINS)
      throw new TooManyLoginsError(address, failed.leftMs);
    try {
      return login();
    } catch (error) {
      this.#counts.add(address);
      this.#peers?.say(TOPIC, address);
      throw error;
    }
  }
}
