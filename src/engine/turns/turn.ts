import type { Bus, LaneLease, LogConsumer } from '../../log/port.ts';
import type { Log } from '../../platform/observability/log.ts';

/** A piece of work that one process of a network does at a time, and how its turn is kept. */
export interface TurnOptions {
  /** Name of the work: an empty topic of the log, which carries nothing but the lease. */
  readonly name: string;
  /** Name of this process in leases. */
  readonly owner: string;
  /** A process that is silent for so long loses its turn, ms. */
  readonly sessionMs: number;
  readonly log: Log;
}

/** The lane whose owner has the turn: a member that joins is never given a lane that another has to keep. */
const LANE = 0;

/** The turn of one process at a piece of work: a lease of the log, renewed until it is given up. */
export class Turn {
  readonly #consumer: LogConsumer;
  readonly #log: Log;
  readonly #renewing: NodeJS.Timeout;
  #lease: LaneLease | undefined;
  #isAsking = false;

  private constructor(consumer: LogConsumer, { log, sessionMs }: TurnOptions) {
    this.#consumer = consumer;
    this.#log = log;
    this.#renewing = setInterval(() => void this.#renew(), sessionMs / 6).unref();
  }

  /** Joins those who want the turn; resolves when it is known whether this process has it. */
  static async join(bus: Pick<Bus, 'consumer'>, options: TurnOptions): Promise<Turn> {
    const { name, owner, sessionMs } = options;
    const consumer = await bus.consumer({ topic: name, group: name, owner, sessionMs });
    const turn = new Turn(consumer, options);
    await turn.#renew();
    return turn;
  }

  /** Time for which no other process can have the turn, ms; 0: this process does not have it. */
  get leftMs(): number {
    return this.#lease ? this.#consumer.left(this.#lease) : 0;
  }

  /** Gives the turn up: to be called when nothing of the work is done any more. */
  async close(): Promise<void> {
    clearInterval(this.#renewing);
    this.#lease = undefined;
    await this.#consumer.release();
  }

  async #renew(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      this.#lease = (await this.#consumer.claim()).find(({ lane }) => lane === LANE);
    } catch (error) {
      // The time left of the lease still counts.
      this.#log.warn({ error }, 'a lease could not be renewed; retrying');
    } finally {
      this.#isAsking = false;
    }
  }
}
