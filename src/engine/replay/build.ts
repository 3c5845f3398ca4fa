import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { migrate } from '../../platform/clickhouse/migrations/migrate.ts';
import { type Patience, patiently } from '../../platform/clickhouse/patience.ts';
import { startStoreDecoder } from '../decoding/start-decoder.ts';
import type { EngineParts, LaneSettings } from '../engine-parts.ts';
import { PROJECT } from '../project-files.ts';
import { inputLandings, partitionsOf, stepCounted, type TableProjection } from '../projection/projection.ts';
import { type PositionRange, splitByEpoch, subtractRanges } from '../ranges/position-ranges.ts';
import { deleteRange, measureRange } from '../sink/measure-range.ts';
import { readRepairs, runRepairs } from '../sink/repairs.ts';
import { createSink } from '../sink/sink.ts';
import type { Range, SinkContext } from '../sink/sink-context.ts';
import type { SinkDefinition } from '../sink/sink-definition.ts';
import { cloneTable } from '../versions/clone-table.ts';
import { readIslands } from '../versions/confirmed-islands.ts';
import { versionMigrations } from '../versions/prepare-store.ts';
import { mergeAsUsual, mergeSeldom, storedTables } from '../versions/rare-merges.ts';
import { ReplayJournal } from '../versions/replay-journal.ts';
import { databaseOf } from '../versions/version-names.ts';
import { recordVersion, type VersionState } from '../versions/version-records.ts';
import { replayDecoder } from './decoder.ts';
import { readExtras } from './extras.ts';
import { replayHistory } from './history.ts';
import { writeLetterBlocks } from './letters.ts';
import type { BuildDetail, ReplayPlan } from './plan.ts';
import { replayPartitions } from './replay-partitions.ts';

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
  #detail: BuildDetail;

  constructor(parts: EngineParts, plan: ReplayPlan) {
    const { client, identity, log, owner, projection } = parts;
    this.plan = plan;
    this.projection = projection;
    this.from = databaseOf(identity, projection, plan.served);
    this.to = databaseOf(identity, projection, plan.next);
    this.inputFrom = plan.inputDatabase;
    this.#parts = parts;
    this.#detail = plan.detail;
    this.#journal = new ReplayJournal(client, identity.network, this.to);
    const definition = withoutInputs(projection);
    this.#context = {
      client,
      database: this.to,
      // Each run's inserts have names of their own: a server may remember those of the run before it.
      group: `replay/${owner}`,
      definition,
      repairs: readRepairs(definition, PROJECT),
      // Lanes are what works at the same time; more inserts would only stand in the way of whoever reads.
      concurrency: 1,
      log: (message, facts) => log.warn(facts, message),
    };
  }

  /** Records are read where they are linked; where they are not, from the version that keeps them. */
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
      { version: this.plan.next, codeVersion: this.plan.codeVersion, state, detail: { ...this.#detail } },
    );
  }

  /** The tables, and in them what needs no decoding. */
  async prepare(): Promise<void> {
    const { client, identity } = this.#parts;
    await migrate(client, versionMigrations(identity, this.projection, this.plan.next));
    if (this.#detail.cloned) return;
    await truncateAll(client, this.to);
    const { history } = this.#detail;
    const kept = subtractRanges(history, this.plan.ranges);
    const inputs = inputLandings(this.projection);
    for (const { landing, counted } of this.projection.sink.landings) {
      const isInput = inputs.includes(landing);
      const ranges = isInput ? history : kept;
      if (ranges.length === 0 || (isInput && this.#detail.scratch)) continue;
      for (const { table } of counted)
        await cloneTable(client, table, { from: this.from, to: this.to }, ranges);
    }
    await this.#confirm(kept);
    await mergeSeldom(client, this.to);
    this.#detail = { ...this.#detail, cloned: true };
    await this.record('building');
  }

  /** Decodes what is not confirmed yet, after what was cut off there is gone. */
  async replay(
    settings: ReplaySettings,
    fence: (lane: number) => Promise<void>,
    signal: AbortSignal,
    watch: BuildWatch,
  ): Promise<void> {
    const { client, identity, codec, log } = this.#parts;
    const onFailure = (error: unknown, pauseMs: number) =>
      log.warn({ error, pauseMs }, 'the store does not answer; trying again');
    const patience = { signal, onFailure };
    await patiently(
      () => client.killAndWait(`${this.to}:replay/`, { route: 'replay/kill', signal }),
      patience,
    );
    const extras = await readExtras(this.#parts, this.inputFrom, this.plan.ranges);
    const decoder = await startStoreDecoder(this.#parts, settings);
    const decodeFor = (partition: number, partitions: number, next: number) =>
      replayDecoder({
        decoder,
        maker: this.projection.begin({ client, database: this.to, partition, partitions, next }),
        definition: stepCounted(this.projection),
        ...(partitionsOf(this.projection) !== null && { partition }),
        batchRows: settings.batchRows,
        lanes: settings.lanes,
        leaveOut: inputLandings(this.projection),
        mayFail: new Set(extras.letters.map(({ key }) => key)),
      });
    const history = {
      source: {
        client,
        input: this.projection.input,
        database: this.#inputDatabase,
        network: identity.network,
        codec,
        lanes: identity.lanes,
        extras: extras.byPosition,
        signal,
        onFailure,
      },
      steps: (range: PositionRange) =>
        this.projection.input.steps({ client, database: this.inputFrom }, range),
      epochSize: identity.epochSize,
      lanes: settings.lanes,
      fence,
      onBatch: (batch: Parameters<BuildWatch['onBatch']>[0]) => watch.onBatch(batch),
    };
    const partitions = partitionsOf(this.projection);
    try {
      if (partitions === null) {
        const ranges = await this.#leftToDecode(signal, patience);
        const [decode, sink] = [decodeFor(0, 1, 0), createSink(this.#context)];
        await replayHistory({ ...history, ranges, decode, sink, journal: this.#journal });
      } else {
        const { ranges } = this.plan;
        const decodeOf = (partition: number, next: number) => decodeFor(partition, partitions, next);
        const replay = { partitions, context: this.#context, ranges, decodeFor: decodeOf, history };
        await replayPartitions(replay, signal);
      }
      if (!this.#detail.scratch)
        await writeLetterBlocks({ client, database: this.to }, this.projection, extras.letters, decoder);
    } finally {
      await decoder.close();
    }
    for (const range of await this.#journal.unrepaired())
      await patiently(() => this.#repair(range, signal), patience);
    await patiently(() => mergeAsUsual(client, this.to), patience);
  }

  /** What is not confirmed yet, after what was cut off is deleted. */
  async #leftToDecode(signal: AbortSignal, patience: Patience): Promise<readonly PositionRange[]> {
    const confirmed = await readIslands(this.#parts.client, this.to);
    for (const range of await this.#journal.cutOff(confirmed))
      await patiently(() => this.#deleteDirty(range, signal), patience);
    return subtractRanges(this.plan.ranges, confirmed);
  }

  /** Positions that are cloned are confirmed, and their merged rows are still to be made. */
  async #confirm(ranges: readonly PositionRange[]): Promise<void> {
    const { client, identity } = this.#parts;
    for (const [epoch, parts] of splitByEpoch(ranges, identity.epochSize)) {
      for (const { first, last } of parts) {
        await this.#journal.record('dirty', { first, last });
        const partitions = partitionsOf(this.projection);
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
    const found = await measureRange(this.#context, rangeOf(range), signal);
    await deleteRange(this.#context, rangeOf(range), found, signal);
  }

  async #repair(range: PositionRange, signal: AbortSignal): Promise<void> {
    const { epochSize } = this.#parts.identity;
    for (const parts of splitByEpoch([range], epochSize).values()) {
      for (const part of parts) await runRepairs(this.#context, rangeOf(part), signal);
    }
    await this.#journal.record('repaired', range);
  }
}

export function rangeOf({ first, last }: PositionRange): Range {
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
    await client.command(`TRUNCATE TABLE ${database}.${table} SYNC`, { route });
}
