import { DECODE } from '../../../pipelines/decode.ts';
import type { Projection } from '../../../pipelines/projections.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { migrate } from '../../platform/clickhouse/migrations/migrate.ts';
import { patiently } from '../../platform/clickhouse/patience.ts';
import { deleteRange, measureRange } from '../../platform/clickhouse/sink/measure-range.ts';
import { readRepairs, runRepairs } from '../../platform/clickhouse/sink/repairs.ts';
import { createSink } from '../../platform/clickhouse/sink/sink.ts';
import type { Range, SinkContext } from '../../platform/clickhouse/sink/sink-context.ts';
import type { SinkDefinition } from '../../platform/clickhouse/sink/sink-definition.ts';
import { cloneTable } from '../../platform/clickhouse/versions/clone-table.ts';
import { readIslands } from '../../platform/clickhouse/versions/confirmed-islands.ts';
import {
  type PositionRange,
  splitByEpoch,
  subtractRanges,
} from '../../platform/clickhouse/versions/position-ranges.ts';
import { mergeAsUsual, mergeSeldom, storedTables } from '../../platform/clickhouse/versions/rare-merges.ts';
import { ReplayJournal } from '../../platform/clickhouse/versions/replay-journal.ts';
import { recordVersion, type VersionState } from '../../platform/clickhouse/versions/version-records.ts';
import { replayHistory } from '../../stages/replay/replay-history.ts';
import { readSteps } from '../../stages/replay/stored-history.ts';
import { type DecodeParts, type DecodeSettings, storeDecoder } from './decode.ts';
import { baseDatabase, baseMigrations, PROJECT } from './projection.ts';
import { replayDecoder } from './replay-decoder.ts';
import { readExtras } from './replay-extras.ts';
import { writeLetterBlocks } from './replay-letters.ts';
import type { BuildDetail, ReplayPlan } from './replay-plan.ts';

export interface ReplaySettings extends DecodeSettings {
  /** Epochs that are decoded at the same time. */
  readonly lanes: number;
}

export interface BuildWatch {
  onBatch(batch: { readonly blocks: number; readonly transactions: number }): void;
}

/** A version that is being built from what the store holds. */
export class VersionBuild {
  readonly plan: ReplayPlan;
  readonly projection: Projection;
  readonly from: string;
  readonly to: string;
  readonly #parts: DecodeParts;
  readonly #context: SinkContext;
  readonly #journal: ReplayJournal;
  #detail: BuildDetail;

  constructor(parts: DecodeParts, projection: Projection, plan: ReplayPlan) {
    const { client, identity, log, owner } = parts;
    this.plan = plan;
    this.projection = projection;
    this.from = baseDatabase(identity, plan.served);
    this.to = baseDatabase(identity, plan.next);
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

  /** Writes down how far the version is. */
  async record(state: VersionState): Promise<void> {
    const { network } = this.#parts.identity;
    await recordVersion(
      this.#parts.client,
      { network, projection: DECODE.projection },
      { version: this.plan.next, codeVersion: this.plan.codeVersion, state, detail: { ...this.#detail } },
    );
  }

  /** The tables, and in them what needs no decoding. */
  async prepare(): Promise<void> {
    const { client, identity } = this.#parts;
    await migrate(client, baseMigrations(identity, this.plan.next));
    if (this.#detail.cloned) return;
    await truncateAll(client, this.to);
    const { history } = this.#detail;
    const kept = subtractRanges(history, this.plan.ranges);
    const inputs = this.#detail.scratch ? [] : this.projection.inputs;
    for (const { landing, counted } of this.projection.sink.landings) {
      const isInput = this.projection.inputs.includes(landing);
      const ranges = isInput ? history : kept;
      if (ranges.length === 0 || (isInput && !inputs.includes(landing))) continue;
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
    const { bus, client, identity, codec, log } = this.#parts;
    const onFailure = (error: unknown, pauseMs: number) =>
      log.warn({ error, pauseMs }, 'the store does not answer; trying again');
    const patience = { signal, onFailure };
    await patiently(
      () => client.killAndWait(`${this.to}:replay/`, { route: 'replay/kill', signal }),
      patience,
    );
    const confirmed = await readIslands(client, this.to);
    for (const range of await this.#journal.cutOff(confirmed))
      await patiently(() => this.#deleteDirty(range, signal), patience);
    const ranges = subtractRanges(this.plan.ranges, confirmed);
    const extras = await readExtras(bus, client, identity, this.from, this.plan.ranges);
    const decoder = await storeDecoder(this.#parts, settings);
    const decode = replayDecoder({
      decoder,
      batchRows: settings.batchRows,
      lanes: settings.lanes,
      leaveOut: this.projection.inputs,
      mayFail: new Set(extras.letters.map(({ key }) => key)),
    });
    try {
      await replayHistory({
        source: {
          client,
          database: this.#detail.scratch ? this.from : this.to,
          network: identity.network,
          codec,
          lanes: identity.lanes,
          extras: extras.byPosition,
          signal,
          onFailure,
        },
        steps: (range) => readSteps(client, this.from, range),
        ranges,
        epochSize: identity.epochSize,
        lanes: settings.lanes,
        decode,
        sink: createSink(this.#context),
        journal: this.#journal,
        fence,
        onBatch: (batch) => watch.onBatch(batch),
      });
      if (!this.#detail.scratch) await writeLetterBlocks(client, this.to, extras.letters, decoder);
    } finally {
      await decoder.close();
    }
    for (const range of await this.#journal.unrepaired())
      await patiently(() => this.#repair(range, signal), patience);
    await patiently(() => mergeAsUsual(client, this.to), patience);
  }

  /** Positions that are cloned are confirmed, and their merged rows are still to be made. */
  async #confirm(ranges: readonly PositionRange[]): Promise<void> {
    const { client, identity } = this.#parts;
    for (const [epoch, parts] of splitByEpoch(ranges, identity.epochSize)) {
      for (const { first, last } of parts) {
        await this.#journal.record('dirty', { first, last });
        await client.command(
          `INSERT INTO ${this.to}.confirmed (first, last, epoch, lane)
           VALUES (${first}, ${last}, ${epoch}, ${epoch % identity.lanes})`,
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

export function withoutInputs({ sink, inputs }: Projection): SinkDefinition {
  return { ...sink, landings: sink.landings.filter(({ landing }) => !inputs.includes(landing)) };
}

/** A build that was cut off before it had begun to decode begins again. */
async function truncateAll(client: StoreClient, database: string): Promise<void> {
  const route = 'replay/truncate';
  for (const table of await storedTables(client, database, route))
    await client.command(`TRUNCATE TABLE ${database}.${table} SYNC`, { route });
}
