import type { LaneLease, LogConsumer } from '../../log/port.ts';
import { ConflictError } from '../../platform/errors/error-kinds.ts';
import type { EngineParts, RunScope } from '../engine-parts.ts';
import { claimAll } from '../lanes/claim-all.ts';
import { getRetryGroup } from '../versions/version-names.ts';

/** Another process replaces rows of steps: a repair, or a retry of dead letters. */
export class RepairHeldError extends ConflictError {
  constructor() {
    super('another process repairs, or retries dead letters, at this moment');
  }
}

/** The right to replace rows of steps that are confirmed: all lanes of the group of retries, which do the same. */
export class RepairLease {
  readonly #consumer: LogConsumer;
  #leases: readonly LaneLease[];
  readonly #renewing: NodeJS.Timeout;

  private constructor(consumer: LogConsumer, leases: readonly LaneLease[], sessionMs: number) {
    this.#consumer = consumer;
    this.#leases = leases;
    this.#renewing = setInterval(() => void this.#renew(), sessionMs / 4);
  }

  /** Takes all lanes; a killed process's lanes lapse within a session. Throws `RepairHeldError`. */
  static async take(
    { bus, projection }: Pick<EngineParts, 'bus' | 'projection'>,
    sessionMs: number,
    { owner, signal }: Pick<RunScope, 'owner' | 'signal'>,
  ): Promise<RepairLease> {
    const topic = projection.reads;
    const consumer = await bus.consumer({ topic, group: getRetryGroup(projection), owner, sessionMs });
    const lanes = (await bus.bounds(topic)).length;
    const leases = await claimAll(consumer, { lanes, sessionMs, signal });
    if (leases) return new RepairLease(consumer, leases, sessionMs);
    await consumer.release();
    throw new RepairHeldError();
  }

  /** Throws `FencedError` if a lane has another owner. */
  async check(): Promise<void> {
    for (const lease of this.#leases) await this.#consumer.pending(lease);
  }

  /** Time that all lanes are still this process's, ms. */
  left(): number {
    return Math.min(...this.#leases.map((lease) => this.#consumer.left(lease)));
  }

  async release(): Promise<void> {
    clearInterval(this.#renewing);
    await this.#consumer.release();
  }

  async #renew(): Promise<void> {
    // A log that cannot be reached is met by the next check.
    this.#leases = await this.#consumer.claim().catch(() => this.#leases);
  }
}
