import { setTimeout as sleep } from 'node:timers/promises';
import { BASE } from '../../../pipelines/base.ts';
import { RAW_BLOCKS } from '../../../pipelines/raw-blocks.ts';
import { retryGroupOf } from '../../engine/versions/version-names.ts';
import type { Bus, LaneLease, LogConsumer } from '../../log/port.ts';
import type { Session } from '../session.ts';

/** Another process replaces rows of steps: a repair, or a retry of dead letters. */
export class RepairHeldError extends Error {
  override readonly name = 'RepairHeldError';
  constructor() {
    super('another process repairs, or retries dead letters, at this moment');
  }
}

const LOOK_MS = 200;

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

  /** Takes all lanes; those of a process that was killed lapse within a session. Throws `RepairHeldError`. */
  static async take(bus: Bus, sessionMs: number, { owner, signal }: Session): Promise<RepairLease> {
    const consumer = await bus.consumer({ topic: RAW_BLOCKS, group: retryGroupOf(BASE), owner, sessionMs });
    const lanes = (await bus.bounds(RAW_BLOCKS)).length;
    const deadline = Date.now() + sessionMs * 1.5;
    for (;;) {
      const leases = await consumer.claim();
      if (leases.length === lanes) return new RepairLease(consumer, leases, sessionMs);
      if (Date.now() > deadline) {
        await consumer.release();
        throw new RepairHeldError();
      }
      await sleep(LOOK_MS, undefined, { signal });
    }
  }

  /** Throws `FencedError` where a lane has another owner by now. */
  async check(): Promise<void> {
    for (const lease of this.#leases) await this.#consumer.pending(lease);
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
