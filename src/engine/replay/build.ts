import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { onCluster } from '../../platform/clickhouse/cluster-scope.ts';
import { retryStore, type StoreRetryPolicy } from '../../platform/clickhouse/retry-store.ts';
import { ConflictError } from '../../platform/errors/error-kinds.ts';
import { coldRecords } from '../cold/cold-records.ts';
import { setMoves } from '../cold-volume/set-moves.ts';
import { startStoreDecoder } from '../decoding/start-decoder.ts';
import type { EngineParts, LaneSettings } from '../engine-parts.ts';
import { PROJECT } from '../project-files.ts';
import { getPartitions, inputLandings, stepCounted, type TableProjection } from '../projection/projection.ts';
import { type PositionRange, splitByEpoch, subtractRanges } from '../ranges/position-ranges.ts';
import { getFencesTable } from '../sink/fence.ts';
import { deleteRange, measureRange } from '../sink/measure-range.ts';
import { readRepairs, runRepairs } from '../sink/repairs.ts';
import { createSink } from '../sink/sink.ts';
import type { Range, SinkContext } from '../sink/sink-context.ts';
import type { SinkDefinition } from '../sink/sink-definition.ts';
import { cloneTable } from '../versions/clone-table.ts';
import { readCommonIslands, readIslands } from '../versions/confirmed-islands.ts';
import { createVersion } from '../versions/create-version.ts';
import { deferMerges, resumeMerges, storedTables } from '../versions/deferred-merges.ts';
import { neededStore } from '../versions/needed-store.ts';
import { ReplayJournal } from '../versions/replay-journal.ts';
import { getDatabase } from '../versions/version-names.ts';
import { recordVersion, type VersionState } from '../versions/version-records.ts';
import type { VersionSchema } from '../versions/version-schema.ts';
import { writeDeadLetterBlocks } from './dead-letter-blocks.ts';
import { replayDecoder } from './decoder.ts';
import { type ReplayFence, replayHistory } from './history.ts';
import type { BuildDetail, ReplayPlan } from './plan.ts';
import { readReplayInputs } from './replay-inputs.ts';
import { replayPartitions } from './replay-partitions.ts';
import type { StoredDifference } from './stored-difference.ts';

export interface ReplaySettings extends LaneSettings {
  /** Epochs that are decoded at the same time. */
  readonly lanes: number;
}

export interface BuildWatch {
  onBatch(batch: { readonly blocks: number; readonly transactions: number }): void;
}

/** A version that is being built from what the store holds. */
export class VersionBuild {
  readonly plan: ReplayPlan;
  readonly projection: TableProjection;
  readonly from: string;
  readonly to: string;
  /** Database that keeps the records which the served version was made of. */
  readonly inputFrom: string;
  readonly #parts: EngineParts;
  readonly #context: SinkContext;
  readonly #journal: ReplayJournal;
  #detail: BuildDetail & { readonly difference?: StoredDifference };
  #schema: VersionSchema | null;

  constructor(parts: EngineParts, plan: ReplayPlan) {
    const { client, identity, log, owner, projection } = parts;
    this.plan = plan;
    this.projection = projection;
    this.from = getDatabase(identity, projection, plan.served);
    this.to = getDatabase(identity, projection, plan.next);
    this.inputFrom = plan.inputDatabase;
    this.#parts = parts;
    this.#detail = plan.detail;
    this.#schema = plan.schema;
    this.#journal = new ReplayJournal(client, identity.network, this.to);
    const definition = withoutInputs(projection);
    this.#context = {
      client,
      database: this.to,
      fences: getFencesTable(identity.network),
      // Each run's inserts have their own names: a server may remember names of an earlier run.
      group: `replay/${owner}`,
      definition,
      repairs: readRepairs(definition, PROJECT),
      // Lanes provide the parallelism; more inserts would only delay readers.
      concurrency: 1,
      log: (message, facts) => log.warn(facts, message),
    };
  }

  /** Records are read from the link target; without links, from the version that has them. */
  get #inputDatabase(): string {
    const isLinked = inputLandings(this.projection).length > 0 && !this.#detail.scratch;
    return isLinked ? this.to : this.inputFrom;
  }

  /** Writes down how far the version is. */
  async record(state: VersionState): Promise<void> {
    const { network } = this.#parts.identity;
    await recordVersion(
      this.#parts.client,
      { network, projection: this.projection.name },
      {
        version: this.plan.next,
        codeVersion: this.plan.codeVersion,
        state,
        detail: { ...this.#detail },
        schema: this.#schema,
      },
    );
  }

  /** Writes down how the complete version differs from the served one. */
  async recordDifference(difference: StoredDifference): Promise<void> {
    this.#detail = { ...this.#detail, difference };
    await this.record('building');
  }

  /** The tables, and in them what needs no decoding. */
  async prepare(): Promise<void> {
    const { client } = this.#parts;
    const { schema } = await createVersion({ ...this.#parts, version: this.plan.next });
    this.#schema = schema;
    const { tier } = this.#parts;
    // Before parts are linked: those of the cold volume need a table with the volume.
    if (tier) await setMoves(client, this.to, tier.tables(this.projection.name), tier);
    if (this.#detail.cloned) return;
    await truncateAll(client, this.to);
    const { history } = this.#detail;
    const retained = subtractRanges(history, this.plan.ranges);
    await this.#requireServed(retained);
    const inputs = inputLandings(this.projection);
    for (const { landing, counted } of this.projection.sink.landings) {
      const isInput = inputs.includes(landing);
      const ranges = isInput ? history : retained;
      if (ranges.length === 0 || (isInput && this.#detail.scratch)) continue;
      for (const { table } of counted)
        await cloneTable(client, table, { from: this.from, to: this.to }, ranges);
    }
    await this.#confirm(retained);
    await deferMerges(client, this.to);
    this.#detail = { ...this.#detail, cloned: true };
    await this.record('building');
  }

  /** In chain order what is kept must be whole in the served version: the state of the first step decoded is read there. */
  async #requireServed(retained: readonly PositionRange[]): Promise<void> {
    const partitions = getPartitions(this.projection);
    if (partitions === null || retained.length === 0) return;
    const served = await readCommonIslands(this.#parts.client, this.from, partitions);
    if (subtractRanges(retained, served).length > 0) throw new NoCheckpointError(this.from, retained, served);
  }

  /** Decodes what is not confirmed yet, after what was cut off there is gone. */
  async replay(
    settings: ReplaySettings,
    fence: ReplayFence,
    signal: AbortSignal,
    watch: BuildWatch,
  ): Promise<void> {
    const { client, identity, codec } = this.#parts;
    const retryPolicy = this.#retryPolicy(signal);
    await retryStore(
      () => client.killAndWait(`${this.to}:replay/`, { route: 'replay/kill', signal }),
      retryPolicy,
    );
    const inputs = await readReplayInputs(this.#parts, this.inputFrom, this.plan.ranges);
    const decoder = await startStoreDecoder(this.#parts, settings);
    const needed = neededStore({ ...this.#parts, signal });
    const decodeFor = (partition: number, partitions: number, next: number) =>
      replayDecoder({
        decoder,
        maker: this.projection.begin({
          client,
          identity,
          database: this.to,
          partition,
          partitions,
          next,
          needed,
        }),
        definition: stepCounted(this.projection),
        ...(getPartitions(this.projection) !== null && { share: { partition, partitions } }),
        batchRows: settings.batchRows,
        lanes: settings.lanes,
        leaveOut: inputLandings(this.projection),
        mayFail: new Set(inputs.deadLetters.map(({ key }) => key)),
      });
    const history = {
      source: {
        client,
        input: this.projection.input,
        database: this.#inputDatabase,
        network: identity.network,
        codec,
        lanes: identity.lanes,
        inputs: inputs.byPosition,
        cold: coldRecords(this.#parts),
        ...retryPolicy,
      },
      steps: (range: PositionRange) =>
        this.projection.input.steps({ client, database: this.inputFrom }, range),
      epochSize: identity.epochSize,
      lanes: settings.lanes,
      fence,
      onBatch: (batch: Parameters<BuildWatch['onBatch']>[0]) => watch.onBatch(batch),
    };
    const partitions = getPartitions(this.projection);
    try {
      if (partitions === null) {
        const ranges = await this.#leftToDecode(signal, retryPolicy);
        const [decode, sink] = [decodeFor(0, 1, 0), createSink(this.#context)];
        await replayHistory({ ...history, ranges, decode, sink, journal: this.#journal });
      } else {
        const { ranges } = this.plan;
        const startDecode = (partition: number, next: number) => decodeFor(partition, partitions, next);
        const replay = { partitions, context: this.#context, ranges, decodeFor: startDecode, history };
        await replayPartitions(replay, signal);
      }
      if (!this.#detail.scratch)
        await writeDeadLetterBlocks(
          { client, database: this.to },
          this.projection,
          inputs.deadLetters,
          decoder,
        );
    } finally {
      await decoder.close();
    }
    for (const range of await this.#journal.unrepaired())
      await retryStore(() => this.#repair(range, signal), retryPolicy);
  }

  /** Parts merge again as in a version that is followed: to be called when the last row is written. */
  async resumeMerges(signal: AbortSignal): Promise<void> {
    await retryStore(() => resumeMerges(this.#parts.client, this.to), this.#retryPolicy(signal));
  }

  #retryPolicy(signal: AbortSignal): Required<Pick<StoreRetryPolicy, 'signal' | 'onFailure'>> {
    const { log } = this.#parts;
    const onFailure = (error: unknown, pauseMs: number) =>
      log.warn({ error, pauseMs }, 'the store does not answer; retrying');
    return { signal, onFailure };
  }

  /** Ranges that are not confirmed yet, after unfinished ones are deleted. */
  async #leftToDecode(signal: AbortSignal, retryPolicy: StoreRetryPolicy): Promise<readonly PositionRange[]> {
    const confirmed = await readIslands(this.#parts.client, this.to);
    for (const range of await this.#journal.cutOff(confirmed))
      await retryStore(() => this.#deleteDirty(range, signal), retryPolicy);
    return subtractRanges(this.plan.ranges, confirmed);
  }

  /** Positions that are cloned are confirmed, and their merged rows are still to be made. */
  async #confirm(ranges: readonly PositionRange[]): Promise<void> {
    const { client, identity } = this.#parts;
    for (const [epoch, parts] of splitByEpoch(ranges, identity.epochSize)) {
      for (const { first, last } of parts) {
        await this.#journal.record('dirty', { first, last });
        const partitions = getPartitions(this.projection);
        const lanes = partitions === null ? [epoch % identity.lanes] : [...Array(partitions).keys()];
        const rows = lanes.map((lane) => `(${first}, ${last}, ${epoch}, ${lane})`);
        await client.command(
          `INSERT INTO ${this.to}.confirmed (first, last, epoch, lane) VALUES ${rows.join(', ')}`,
          { route: 'replay/confirmed' },
        );
      }
    }
  }

  async #deleteDirty(range: PositionRange, signal: AbortSignal): Promise<void> {
    await this.#journal.record('dirty', range);
    const found = await measureRange(this.#context, toRange(range), signal);
    await deleteRange(this.#context, toRange(range), found, signal);
  }

  async #repair(range: PositionRange, signal: AbortSignal): Promise<void> {
    const { epochSize } = this.#parts.identity;
    for (const parts of splitByEpoch([range], epochSize).values()) {
      for (const part of parts) await runRepairs(this.#context, toRange(part), signal);
    }
    await this.#journal.record('repaired', range);
  }
}

/** The served version does not have the state that a partial replay would go on from. */
export class NoCheckpointError extends ConflictError {
  constructor(database: string, retained: readonly PositionRange[], served: readonly PositionRange[]) {
    const said = (ranges: readonly PositionRange[]) =>
      ranges.map(({ first, last }) => `${first} to ${last}`).join(', ') || 'nothing';
    super(
      `${database} has ${said(served)}, and a replay from here continues from ${said(retained)}: begin earlier, or with everything`,
    );
  }
}

export function toRange({ first, last }: PositionRange): Range {
  return { lane: 0, from: first, firstPosition: first, lastPosition: last };
}

export function withoutInputs(projection: TableProjection): SinkDefinition {
  const inputs = inputLandings(projection);
  const { sink } = projection;
  return { ...sink, landings: sink.landings.filter(({ landing }) => !inputs.includes(landing)) };
}

/** A build that was cut off before it had begun to decode begins again. */
async function truncateAll(client: StoreClient, database: string): Promise<void> {
  const route = 'replay/truncate';
  for (const table of await storedTables(client, database, route))
    await client.command(`TRUNCATE TABLE ${database}.${table}${onCluster(client)} SYNC`, { route });
}
