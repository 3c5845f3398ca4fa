import type { LaneLease, LogConsumer } from '../../log/port.ts';
import { ConflictError } from '../../platform/errors/error-kinds.ts';
import type { EngineParts, RunScope } from '../engine-parts.ts';
import { claimAll } from '../lanes/claim-all.ts';
import { getPartitions } from '../projection/projection.ts';
import { getGroup } from '../versions/version-names.ts';

/** Another process writes the version. */
export class VersionHeldError extends ConflictError {
  readonly version: number;
  readonly owners: readonly string[];
  constructor(version: number, owners: readonly string[]) {
    super(`version ${version} is being written by ${owners.join(', ') || 'another process'}`);
    this.version = version;
    this.owners = owners;
  }
}

/** The right to write a version: all lanes of its consumer group. */
export class VersionLease {
  readonly #consumer: LogConsumer;
  readonly #version: number;
  #leases: readonly LaneLease[];
  #renewing: NodeJS.Timeout | null;

  private constructor(
    consumer: LogConsumer,
    version: number,
    leases: readonly LaneLease[],
    sessionMs: number,
  ) {
    this.#consumer = consumer;
    this.#version = version;
    this.#leases = leases;
    this.#renewing = setInterval(() => void this.#renew(), sessionMs / 4);
  }

  /** Takes all lanes; a killed process's lanes lapse within a session. Throws `VersionHeldError`. */
  static async take(
    { bus, projection }: Pick<EngineParts, 'bus' | 'projection'>,
    version: number,
    sessionMs: number,
    { owner, signal }: Pick<RunScope, 'owner' | 'signal'>,
  ): Promise<VersionLease> {
    const topic = projection.reads;
    const group = getGroup(projection, version);
    const partitions = getPartitions(projection);
    const consumer = await bus.consumer({
      topic,
      group,
      owner,
      sessionMs,
      ...(partitions && { partitions }),
    });
    const lanes = partitions ?? (await bus.bounds(topic)).length;
    const leases = await claimAll(consumer, { lanes, sessionMs, signal });
    if (leases) return new VersionLease(consumer, version, leases, sessionMs);
    const held = (await bus.lag()).filter((lag) => lag.group === group && lag.owner && lag.owner !== owner);
    await consumer.release();
    throw new VersionHeldError(version, [...new Set(held.map((lag) => lag.owner ?? ''))]);
  }

  /** Begins after another group's committed offsets, lane by lane; a lane that is further stays there. */
  async startBehind(committed: ReadonlyMap<number, number>): Promise<void> {
    for (const lease of this.#leases) {
      const next = committed.get(lease.lane) ?? 0;
      if (next > lease.committed) await this.#consumer.commit(lease, next);
    }
    this.#leases = await this.#consumer.claim();
  }

  /** Throws `FencedError` or `VersionHeldError` if the lane has another owner. */
  async check(lane: number): Promise<void> {
    const lease = this.#leases.find((held) => held.lane === lane);
    if (!lease) throw new VersionHeldError(this.#version, []);
    await this.#consumer.pending(lease);
  }

  /** Time that the lane is still this process's, ms. */
  left(lane: number): number {
    const lease = this.#leases.find((held) => held.lane === lane);
    return lease ? this.#consumer.left(lease) : 0;
  }

  /** This process keeps the lanes until their session ends, without renewal: another member may continue. */
  stopRenewing(): void {
    if (this.#renewing) clearInterval(this.#renewing);
    this.#renewing = null;
  }

  async release(): Promise<void> {
    this.stopRenewing();
    await this.#consumer.release();
  }

  async #renew(): Promise<void> {
    // A log that cannot be reached is met by the next check.
    this.#leases = await this.#consumer.claim().catch(() => this.#leases);
  }
}
