import { randomUUID } from 'node:crypto';
import { retryStore } from '../../platform/clickhouse/retry-store.ts';
import { startStoreDecoder } from '../decoding/start-decoder.ts';
import type { EngineParts, LaneSettings } from '../engine-parts.ts';
import { PROJECT } from '../project-files.ts';
import { inputLandings, stepCounted } from '../projection/projection.ts';
import { type PositionRange, splitByEpoch } from '../ranges/position-ranges.ts';
import { toRange, withoutInputs } from '../replay/build.ts';
import { replayDecoder } from '../replay/decoder.ts';
import { type ReplayFence, replayHistory } from '../replay/history.ts';
import { readReplayInputs } from '../replay/replay-inputs.ts';
import { getFencesTable } from '../sink/fence.ts';
import { readRepairs, runRepairs } from '../sink/repairs.ts';
import { createSink } from '../sink/sink.ts';
import type { SinkContext } from '../sink/sink-context.ts';
import { ReplayJournal } from '../versions/replay-journal.ts';
import { deleteSteps, unconfirm } from './clear-steps.ts';

/** Parts that the rebuilding of steps in place needs. */
export interface StepRepair {
  readonly parts: EngineParts;
  readonly settings: LaneSettings;
  readonly database: string;
  readonly fence: ReplayFence;
  readonly signal: AbortSignal;
}

function buildSinkContext({ parts, database }: StepRepair): SinkContext {
  const definition = withoutInputs(parts.projection);
  return {
    client: parts.client,
    database,
    fences: getFencesTable(parts.identity.network),
    // The server remembers names of inserts: the same step may be repaired more than once.
    group: `repair/${parts.owner}/${randomUUID()}`,
    definition,
    repairs: readRepairs(definition, PROJECT),
    concurrency: 1,
    log: (message, facts) => parts.log.warn(facts, message),
  };
}

/**
 * Decodes the steps again from `raw_blocks` and replaces what the tables hold of them. Cold blocks were put back there before.
 * Nothing confirms the steps meanwhile: cut off anywhere, they are found to be unconfirmed, and the next repair does them again.
 */
export async function rebuildSteps(repair: StepRepair, ranges: readonly PositionRange[]): Promise<void> {
  const { parts, settings, database, fence, signal } = repair;
  const { client, identity, codec, log, projection } = parts;
  const context = buildSinkContext(repair);
  const journal = new ReplayJournal(client, identity.network, database);
  // First: the rows that list the states will be deleted.
  const inputs = await readReplayInputs(parts, database, ranges);
  for (const range of ranges) await journal.record('dirty', range);
  await unconfirm({ client, database }, ranges);
  await deleteSteps(context, ranges, signal);
  const decoder = await startStoreDecoder(parts, settings);
  try {
    await replayHistory({
      source: {
        client,
        input: projection.input,
        database,
        network: identity.network,
        codec,
        lanes: identity.lanes,
        inputs: inputs.byPosition,
        signal,
        onFailure: (error, pauseMs) => log.warn({ error, pauseMs }, 'the store does not answer; retrying'),
      },
      steps: (range) => projection.input.readStoredSteps({ client, database }, range),
      ranges,
      epochSize: identity.epochSize,
      lanes: 1,
      decode: replayDecoder({
        decoder,
        maker: projection.begin({ client, database, partition: 0, partitions: 1, next: 0 }),
        definition: stepCounted(projection),
        batchRows: settings.batchRows,
        lanes: 1,
        leaveOut: inputLandings(projection),
        mayFail: new Set(inputs.deadLetters.map(({ key }) => key)),
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
    log.warn({ error, pauseMs }, 'the store does not answer; retrying');
  for (const range of await journal.unrepaired()) {
    await retryStore(() => rederive(repair, [range]), { signal, onFailure });
    await journal.record('repaired', range);
  }
}

/** Makes the merged tables hold what follows from the states of the steps. */
export async function rederive(repair: StepRepair, ranges: readonly PositionRange[]): Promise<void> {
  const context = buildSinkContext(repair);
  const { epochSize } = repair.parts.identity;
  for (const parts of splitByEpoch(ranges, epochSize).values())
    for (const part of parts) await runRepairs(context, toRange(part), repair.signal);
}
