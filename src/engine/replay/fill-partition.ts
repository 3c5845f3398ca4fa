import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChainGapError } from '../../log/errors.ts';
import { type LaneLease, stepFrom, toOffset } from '../../log/port.ts';
import { retryStore } from '../../platform/clickhouse/retry-store.ts';
import { coldRecords } from '../cold/cold-records.ts';
import type { EngineParts, LaneSettings } from '../engine-parts.ts';
import type { LaneLoopPorts } from '../lanes/lane-loop.ts';
import { type MemberWatch, type PartitionStart, partsOfVersion } from '../lanes/lane-options.ts';
import { PROJECT } from '../project-files.ts';
import { getPartitions, stepCounted } from '../projection/projection.ts';
import type { PositionRange } from '../ranges/position-ranges.ts';
import { beginTenure, getFencesTable, noteWriting, type TenureStore, wasCutOff } from '../sink/fence.ts';
import { readRepairs } from '../sink/repairs.ts';
import type { SinkContext } from '../sink/sink-context.ts';
import { readIslands } from '../versions/confirmed-islands.ts';
import { neededStore } from '../versions/needed-store.ts';
import { getDatabase, getGroup } from '../versions/version-names.ts';
import { replayDecoder } from './decoder.ts';
import { inputStore } from './plan.ts';
import { readReplayInputs } from './replay-inputs.ts';
import { deleteUnconfirmed, replayOne } from './replay-partitions.ts';

/** How long a partition waits for a step that neither the log nor the store has at present. */
const WAIT_MS = 1_000;

/** Callbacks of a member of the projection's group: in chain order, partitions are filled before they are read. */
export function memberWatch(
  parts: EngineParts,
  settings: Pick<LaneSettings, 'batchRows'>,
  { onBatch }: Pick<LaneLoopPorts, 'onBatch'>,
): MemberWatch {
  if (getPartitions(parts.projection) === null) return { onBatch };
  const prepare = async (start: PartitionStart, stop: AbortSignal) =>
    new PartitionFill(await partsOfVersion(parts), settings, start, stop).run();
  return { onBatch, prepare };
}

/**
 * Moves a partition to its position in the log. Its position is after the confirmed steps of its version. If the index
 * is older than the projection, or the projection was off, the log may have freed the next records. The store keeps
 * them, so they are decoded from there, under the partition's lease. After an interruption the next start continues
 * after the confirmed steps.
 */
class PartitionFill {
  readonly #parts: EngineParts;
  readonly #settings: Pick<LaneSettings, 'batchRows'>;
  readonly #start: PartitionStart;
  readonly #stop: AbortSignal;
  readonly #database: string;

  constructor(
    parts: EngineParts,
    settings: Pick<LaneSettings, 'batchRows'>,
    start: PartitionStart,
    stop: AbortSignal,
  ) {
    this.#parts = parts;
    this.#settings = settings;
    this.#start = start;
    this.#stop = stop;
    this.#database = getDatabase(parts.identity, parts.projection, parts.version);
  }

  /** The lease, from the step on that comes next in the version. */
  async run(): Promise<LaneLease> {
    const { lease, gap, consumer } = this.#start;
    await this.#begin();
    // A batch that was left open is recovered first: the log keeps its records.
    if (await consumer.pending(lease)) return lease;
    for (let isEndReported = false; ; ) {
      this.#stop.throwIfAborted();
      // The log first: the first records of a fed topic were confirmed, with everything before.
      const firstLogged = await this.#firstLogged();
      const stored = await this.#retryStore(() => this.#storedRanges());
      const next = await this.#nextStep(stored, firstLogged);
      if (next === null) {
        if (!this.#parts.projection.input.isFed) return lease;
        // The topic may begin after the first step; the store shows whether it does.
        await sleep(WAIT_MS, undefined, { signal: this.#stop });
        continue;
      }
      const isReadable = stepFrom(lease.committed) <= next && (gap === null || gap < next);
      if (isReadable && (await this.#isLogged(next))) return this.#leaseFrom(next);
      const range = stored.find(({ first, last }) => first <= next && next <= last);
      if (range) await this.#fill({ first: next, last: range.last });
      else if (isReadable && !(await this.#isFreed(next))) return this.#leaseFrom(next);
      else {
        if (!isEndReported)
          this.#logWait(next, 'neither the log nor the store has the step that comes next yet');
        isEndReported = true;
        await sleep(WAIT_MS, undefined, { signal: this.#stop });
      }
    }
  }

  /** Confirmed ranges of the records themselves, in the store. */
  async #storedRanges(): Promise<readonly PositionRange[]> {
    const { client, database } = await inputStore(this.#parts);
    return readIslands(client, database);
  }

  /**
   * The step after the partition's confirmed range, or the start of the index; null if nothing is indexed or logged.
   */
  async #nextStep(stored: readonly PositionRange[], firstLogged: number | null): Promise<number | null> {
    const { client } = this.#parts;
    const { lane: partition } = this.#start.lease;
    const done = await this.#retryStore(() => readIslands(client, this.#database, partition));
    const [first] = done;
    if (first) return first.last + 1;
    const begins = [stored[0]?.first, firstLogged ?? undefined].filter((position) => position !== undefined);
    return begins.length === 0 ? null : Math.min(...begins);
  }

  async #firstLogged(): Promise<number | null> {
    const [record] = await this.#start.consumer.read(this.#start.lease.lane, 0, ONE);
    return record?.position ?? null;
  }

  async #isLogged(position: number): Promise<boolean> {
    const { consumer, lease } = this.#start;
    try {
      const [record] = await consumer.read(lease.lane, toOffset(position), ONE);
      return record?.position === position;
    } catch (error) {
      if (error instanceof ChainGapError) return false;
      throw error;
    }
  }

  /** Whether the log is past a step that it does not have. */
  async #isFreed(position: number): Promise<boolean> {
    const first = await this.#firstLogged();
    return first !== null && first > position;
  }

  /** Moves the group's position too, up to the log's end: freed records are not awaited. */
  async #leaseFrom(next: number): Promise<LaneLease> {
    const { consumer, lease } = this.#start;
    const offset = toOffset(next);
    if (stepFrom(lease.committed) === next) return lease;
    const lag = (await this.#parts.bus.lag()).find(
      ({ group, lane }) => group === consumer.group && lane === lease.lane,
    );
    if (lag && lag.end >= next) await consumer.commit(lease, offset);
    return { ...lease, committed: offset };
  }

  async #fill(range: PositionRange): Promise<void> {
    this.#logWait(
      range.first,
      `masterchain ${range.first} to ${range.last} are decoded from the stored blocks`,
    );
    const { client, identity, codec, log, projection } = this.#parts;
    const { decoder, consumer, lease } = this.#start;
    const input = await this.#retryStore(() => inputStore(this.#parts));
    const inputs = await readReplayInputs(this.#parts, input.database, [range]);
    const partitions = getPartitions(projection) ?? 1;
    const needed = neededStore({ ...this.#parts, signal: this.#stop });
    const decodeFor = (partition: number, next: number) =>
      replayDecoder({
        decoder,
        maker: projection.begin({
          client,
          identity,
          database: this.#database,
          partition,
          partitions,
          next,
          needed,
        }),
        definition: stepCounted(projection),
        share: { partition, partitions },
        batchRows: this.#settings.batchRows,
        lanes: 1,
        leaveOut: [],
        mayFail: new Set(inputs.deadLetters.map(({ key }) => key)),
      });
    const onFailure = (error: unknown, pauseMs: number) =>
      log.warn({ error, pauseMs }, 'the store does not answer; retrying');
    const source = {
      client,
      input: projection.input,
      database: input.database,
      network: identity.network,
      codec,
      lanes: identity.lanes,
      inputs: inputs.byPosition,
      cold: coldRecords(this.#parts),
      signal: this.#stop,
      onFailure,
    };
    const history = {
      source,
      steps: (part: PositionRange) => projection.input.steps(input, part),
      epochSize: identity.epochSize,
      lanes: 1,
      fence: {
        // Throws if another member has the partition.
        check: async () => void (await consumer.pending(lease)),
        left: () => consumer.left(lease),
      },
      onBatch() {},
    };
    const context = this.#context();
    const replay = { partitions, context, ranges: [range], decodeFor, history };
    await this.#retryStore(() => noteWriting(context, 'begun', this.#stop));
    await replayOne(replay, range, lease.lane, this.#stop);
    await this.#retryStore(() => noteWriting(context, 'done', this.#stop));
  }

  /**
   * Ends the fills of earlier owners, whose attempts have unknown names. The next reader of the log takes every row
   * after the confirmed range for its own.
   */
  async #begin(): Promise<void> {
    const { lane: partition } = this.#start.lease;
    const context = { ...this.#context(), partition };
    await this.#retryStore(() => beginTenure(context, this.#stop));
    if (!(await this.#retryStore(() => wasCutOff(context)))) return;
    const route = { route: 'fill/kill', signal: this.#stop };
    await this.#retryStore(() => context.client.killAndWait(`${this.#database}:${this.#inserts()}`, route));
    if (!(await this.#start.consumer.pending(this.#start.lease))) {
      const [done] = await this.#retryStore(() => readIslands(context.client, this.#database, partition));
      await this.#retryStore(() => deleteUnconfirmed(context, done ? done.last + 1 : 0, this.#stop));
    }
    await this.#retryStore(() => noteWriting(context, 'done', this.#stop));
  }

  /** Begins the names of what fills the partition: each time has its own, since attempts of an earlier one may be closed. */
  #inserts(): string {
    const { projection, version } = this.#parts;
    return `${getGroup(projection, version)}/fill/${this.#start.lease.lane}/`;
  }

  #context(): SinkContext & TenureStore {
    const { client, identity, log, projection } = this.#parts;
    return {
      client,
      database: this.#database,
      group: `${this.#inserts()}${randomUUID()}`,
      fences: getFencesTable(identity.network),
      // Attempts of an earlier owner have names that this one does not know.
      tenure: { name: `${this.#database}:${this.#inserts()}`, generation: this.#start.lease.generation },
      definition: projection.sink,
      repairs: readRepairs(projection.sink, PROJECT),
      concurrency: 1,
      log: (message, facts) => log.warn(facts, message),
    };
  }

  #logWait(position: number, text: string): void {
    const { log, projection } = this.#parts;
    log.info({ stage: projection.group, partition: this.#start.lease.lane, position }, text);
  }

  #retryStore<Result>(read: () => Promise<Result>): Promise<Result> {
    const onFailure = (error: unknown, pauseMs: number) =>
      this.#parts.log.warn({ error, pauseMs }, 'the store does not answer; retrying');
    return retryStore(read, { signal: this.#stop, onFailure });
  }
}

const ONE = { records: 1, bytes: 1 } as const;
