import { randomUUID } from 'node:crypto';
import { BASE } from '../../../pipelines/base.ts';
import { startStoreDecoder } from '../../engine/decoding/start-decoder.ts';
import type { EngineParts, LaneSettings } from '../../engine/engine-parts.ts';
import { PROJECT } from '../../engine/project-files.ts';
import { inputLandings, stepCounted } from '../../engine/projection/projection.ts';
import {
  type PositionRange,
  rangeCondition,
  splitByEpoch,
  subtractRanges,
} from '../../engine/ranges/position-ranges.ts';
import { rangeOf, withoutInputs } from '../../engine/replay/build.ts';
import { replayDecoder } from '../../engine/replay/decoder.ts';
import { readExtras } from '../../engine/replay/extras.ts';
import { replayHistory } from '../../engine/replay/history.ts';
import { readRepairs, runRepairs } from '../../engine/sink/repairs.ts';
import { createSink } from '../../engine/sink/sink.ts';
import type { SinkContext } from '../../engine/sink/sink-context.ts';
import { countedTargets } from '../../engine/sink/sink-definition.ts';
import { ReplayJournal } from '../../engine/versions/replay-journal.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { patiently } from '../../platform/clickhouse/patience.ts';
import { readRawSteps } from '../../projections/base/input/stored-history.ts';

const route = 'repair/steps';

/** What rebuilding steps in place needs. */
export interface StepRepair {
  readonly parts: EngineParts;
  readonly settings: LaneSettings;
  readonly database: string;
  /** Asked before every write: throws where another process repairs by now. */
  readonly fence: () => Promise<void>;
  readonly signal: AbortSignal;
}

function contextOf({ parts, database }: StepRepair): SinkContext {
  const definition = withoutInputs(BASE);
  return {
    client: parts.client,
    database,
    // The server remembers names of inserts: the same step may be repaired more than once.
    group: `repair/${parts.owner}/${randomUUID()}`,
    definition,
    repairs: readRepairs(definition, PROJECT),
    concurrency: 1,
    log: (message, facts) => parts.log.warn(facts, message),
  };
}

/**
 * Decodes the steps again from `raw_blocks` and replaces what the tables hold of them. Nothing confirms the steps
 * meanwhile: cut off anywhere, they are found to be unconfirmed, and the next repair does them again.
 */
export async function rebuildSteps(repair: StepRepair, ranges: readonly PositionRange[]): Promise<void> {
  const { parts, settings, database, fence, signal } = repair;
  const { client, identity, codec, log } = parts;
  const context = contextOf(repair);
  const journal = new ReplayJournal(client, identity.network, database);
  // First: which states there were is told by rows that are going to be deleted.
  const extras = await readExtras(parts, database, ranges);
  for (const range of ranges) await journal.record('dirty', range);
  await unconfirm(client, database, ranges);
  await deleteSteps(context, ranges, signal);
  const decoder = await startStoreDecoder(parts, settings);
  try {
    await replayHistory({
      source: {
        client,
        input: BASE.input,
        database,
        network: identity.network,
        codec,
        lanes: identity.lanes,
        extras: extras.byPosition,
        signal,
        onFailure: (error, pauseMs) =>
          log.warn({ error, pauseMs }, 'the store does not answer; trying again'),
      },
      steps: (range) => readRawSteps({ client, database }, range),
      ranges,
      epochSize: identity.epochSize,
      lanes: 1,
      decode: replayDecoder({
        decoder,
        maker: BASE.begin({ client, database, partition: 0, partitions: 1, next: 0 }),
        definition: stepCounted(BASE),
        batchRows: settings.batchRows,
        lanes: 1,
        leaveOut: inputLandings(BASE),
        mayFail: new Set(extras.letters.map(({ key }) => key)),
      }),
      sink: createSink(context),
      journal,
      fence,
      onBatch: () => {},
    });
  } finally {
    await decoder.close();
  }
  await finishRepairs(repair);
}

/** Makes the merged tables whole for what a rebuild, this one or one that was cut off, has written. */
export async function finishRepairs(repair: StepRepair): Promise<void> {
  const { parts, database, signal } = repair;
  const { client, identity, log } = parts;
  const journal = new ReplayJournal(client, identity.network, database);
  const onFailure = (error: unknown, pauseMs: number) =>
    log.warn({ error, pauseMs }, 'the store does not answer; trying again');
  for (const range of await journal.unrepaired()) {
    await patiently(() => deriveAgain(repair, [range]), { signal, onFailure });
    await journal.record('repaired', range);
  }
}

/** Makes the merged tables hold what follows from the states of the steps. */
export async function deriveAgain(repair: StepRepair, ranges: readonly PositionRange[]): Promise<void> {
  const context = contextOf(repair);
  const { epochSize } = repair.parts.identity;
  for (const parts of splitByEpoch(ranges, epochSize).values())
    for (const part of parts) await runRepairs(context, rangeOf(part), repair.signal);
}

/** Ranges in one statement: its text stays well below the server's `max_query_size`. */
const RANGES = 2_000;

function* chunks(ranges: readonly PositionRange[]): Generator<readonly PositionRange[]> {
  for (let at = 0; at < ranges.length; at += RANGES) yield ranges.slice(at, at + RANGES);
}

const DELETE = { route, settings: { lightweight_deletes_sync: 2 } } as const;

async function deleteSteps(
  { client, database, definition }: SinkContext,
  ranges: readonly PositionRange[],
  signal: AbortSignal,
): Promise<void> {
  for (const { table } of countedTargets(definition))
    for (const some of chunks(ranges))
      await client.command(`DELETE FROM ${database}.${table} WHERE ${rangeCondition('mc_seqno', some)}`, {
        ...DELETE,
        signal,
      });
}

/** Takes the steps out of `confirmed`: first what stays of a range is written, then the range is deleted. */
async function unconfirm(
  client: StoreClient,
  database: string,
  ranges: readonly PositionRange[],
): Promise<void> {
  for (const some of chunks(ranges)) {
    const touched = some.map(({ first, last }) => `(first <= ${last} AND last >= ${first})`).join(' OR ');
    const { rows } = await client.queryRows<[number, number, number, number]>(
      `SELECT DISTINCT first, last, epoch, lane FROM ${database}.confirmed WHERE ${touched}`,
      { route, timeoutMs: 600_000, maxRows: 10_000_000 },
    );
    const left = rows.flatMap(([first, last, epoch, lane]) =>
      subtractRanges([{ first, last }], ranges).map(
        (rest) => `(${rest.first}, ${rest.last}, ${epoch}, ${lane})`,
      ),
    );
    if (left.length > 0)
      await client.command(
        `INSERT INTO ${database}.confirmed (first, last, epoch, lane) VALUES ${left.join(', ')}`,
        { route, settings: { insert_deduplicate: 0 } },
      );
    if (rows.length > 0) await client.command(`DELETE FROM ${database}.confirmed WHERE ${touched}`, DELETE);
  }
}
