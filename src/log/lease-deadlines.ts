import type { LaneLease } from './port.ts';

/**
 * When a member's leases end, by the monotonic clock of this process. They count from the moment before the claim that
 * renewed them was sent: the log counts from when it received it, so a lease never ends earlier there.
 */
export class LeaseDeadlines {
  readonly #sessionMs: number;
  readonly #deadlines = new Map<number, { readonly generation: number; readonly at: number }>();

  constructor(sessionMs: number) {
    this.#sessionMs = sessionMs;
  }

  /** Claims, and keeps when the leases that were given or renewed end; what was not renewed keeps its end. */
  async claimed(claim: () => Promise<readonly LaneLease[]>): Promise<readonly LaneLease[]> {
    const at = performance.now() + this.#sessionMs;
    const leases = await claim();
    for (const { lane, generation } of leases) this.#deadlines.set(lane, { generation, at });
    return leases;
  }

  /** Milliseconds; 0 if the lease lapsed or now belongs to another member. */
  left({ lane, generation }: LaneLease): number {
    const deadline = this.#deadlines.get(lane);
    if (deadline?.generation !== generation) return 0;
    return Math.max(0, deadline.at - performance.now());
  }

  /** Every lease was given up. */
  clear(): void {
    this.#deadlines.clear();
  }
}
