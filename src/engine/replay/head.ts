import type { Bus } from '../../log/port.ts';
import type { EngineParts, LaneSettings } from '../engine-parts.ts';
import { whenCaughtUp } from '../lanes/caught-up.ts';
import { tableMember } from '../lanes/lane-options.ts';
import { runMember } from '../lanes/run-member.ts';
import { getGroup } from '../versions/version-names.ts';
import { memberWatch } from './fill-partition.ts';

/** Follows the head with a version that is not served yet, until closed. */
export class HeadFollower {
  readonly #bus: Bus;
  readonly #topic: string;
  readonly #group: string;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  private constructor(
    { bus, projection }: EngineParts,
    version: number,
    run: (signal: AbortSignal) => Promise<void>,
  ) {
    this.#bus = bus;
    this.#topic = projection.reads;
    this.#group = getGroup(projection, version);
    this.#running = run(this.#stop.signal);
    // Met by the caller that waits for it.
    this.#running.catch(() => {});
  }

  static async start(
    parts: EngineParts,
    version: number,
    settings: LaneSettings,
    signal: AbortSignal,
  ): Promise<HeadFollower> {
    const written = { ...parts, version, signal };
    const watch = memberWatch(written, settings, { onBatch() {} });
    const member = await tableMember(written, settings, watch);
    return new HeadFollower(parts, version, (stop) => runMember(member, AbortSignal.any([signal, stop])));
  }

  /** Resolves when everything is in the version that the log holds now. */
  async catchUp(signal: AbortSignal): Promise<void> {
    const caughtUp = whenCaughtUp(this.#bus, this.#topic, () => this.#group, signal);
    await Promise.race([caughtUp, this.#running]);
    signal.throwIfAborted();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }
}
