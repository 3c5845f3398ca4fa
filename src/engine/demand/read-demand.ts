import { waitAtMost } from '../../platform/retry/wait-at-most.ts';
import { ProjectionDemand } from './projection-demand.ts';

/** Longest wait of a request for lanes that rested, milliseconds: then it is answered from what is written. */
const MAX_WAIT_MS = 500;

/**
 * Lets the lanes of a process idle while it gets no requests. New steps are then decoded and written every few seconds
 * in one batch, and at once on a request (docs/decisions/0028).
 */
export class ReadDemand {
  readonly #idleMs: number;
  readonly #projections = new Map<string, ProjectionDemand>();

  /** `idleMs`: longest idle time of a lane, milliseconds. */
  constructor(idleMs: number) {
    this.#idleMs = idleMs;
  }

  /** The demand for answers from a projection. */
  of(projection: string): ProjectionDemand {
    const demand = this.#projections.get(projection) ?? new ProjectionDemand(this.#idleMs);
    this.#projections.set(projection, demand);
    return demand;
  }

  /** To be called before an answer: resolves when the lanes that rested have caught up with the log, or take too long. */
  async activate(projections: readonly string[]): Promise<void> {
    const settled = projections.flatMap((projection) => this.of(projection).request());
    if (settled.length > 0) await waitAtMost(Promise.all(settled), MAX_WAIT_MS);
  }
}
