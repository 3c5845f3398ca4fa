import { randomUUID } from 'node:crypto';
import { FencedError } from '../../log/errors.ts';
import { retryStore } from '../../platform/clickhouse/retry-store.ts';
import { pause } from '../../platform/retry/poll.ts';
import type { EngineParts, LaneSettings, ServedPointers } from '../engine-parts.ts';
import { partsOfVersion } from '../lanes/lane-options.ts';
import { PROJECT } from '../project-files.ts';
import type { CorrectionSource } from '../projection/correction.ts';
import { getPartitions } from '../projection/projection.ts';
import { RepairHeldError, RepairLease } from '../repair/repair-lease.ts';
import { getFencesTable, RangeLostError } from '../sink/fence.ts';
import { whileHeld } from '../sink/lease-watch.ts';
import { readRepairs } from '../sink/repairs.ts';
import type { SinkContext } from '../sink/sink-context.ts';
import { IslandsReader } from '../versions/confirmed-islands.ts';
import { neededStore } from '../versions/needed-store.ts';
import { PointerWatch } from '../versions/pointer-watch.ts';
import { servedDatabase } from '../versions/prepare-store.ts';
import { getDatabase } from '../versions/version-names.ts';
import { replaceRows } from './replace-rows.ts';

/** Interval at which due corrections are looked up, ms. */
const POLL_INTERVAL_MS = 2_000;
/** Prefix of the groups of all who correct, so that the next one finds their statements. */
const GROUP = 'correct/';

/** A served version with its corrections. */
interface Corrected {
  readonly version: number;
  readonly parts: EngineParts;
  readonly database: string;
  readonly source: CorrectionSource;
}

/**
 * Corrects rows of the served version (`TableProjection.corrections`) until `signal` aborts. Of several processes, one
 * writes at a time, under the lease of repairs. Rows of a correction that was cut off are replaced again.
 */
export async function followCorrections(
  parts: EngineParts,
  { sessionMs }: Pick<LaneSettings, 'sessionMs'>,
  signal: AbortSignal,
): Promise<void> {
  const { client, identity, log } = parts;
  const run = new CorrectionRun(parts, sessionMs, signal);
  const onFailure = (error: unknown, pauseMs: number) =>
    log.warn({ error, pauseMs, network: identity.network }, 'the store does not answer; retrying');
  while (!signal.aborted) {
    await retryStore(() => run.pass(), { signal, onFailure }).catch((error: unknown) => {
      if (signal.aborted) return;
      const isOthers =
        error instanceof RepairHeldError || error instanceof FencedError || error instanceof RangeLostError;
      if (!isOthers) throw error;
      log.debug({ error, url: client.url }, 'rows are corrected by another process');
    });
    await pause(POLL_INTERVAL_MS, signal, { isBackground: true });
  }
}

class CorrectionRun {
  readonly #parts: EngineParts;
  readonly #sessionMs: number;
  readonly #signal: AbortSignal;
  readonly #pointers: ServedPointers;
  readonly #islands: IslandsReader;
  #corrected: Corrected | null = null;

  constructor(parts: EngineParts, sessionMs: number, signal: AbortSignal) {
    this.#parts = parts;
    this.#sessionMs = sessionMs;
    this.#signal = signal;
    this.#pointers = parts.pointers ?? new PointerWatch(parts.client, parts.identity.network);
    this.#islands = new IslandsReader(parts.client);
  }

  /** Runs the corrections that are due. */
  async pass(): Promise<void> {
    const corrected = await this.#open();
    if (!corrected || (await this.#due(corrected)).length === 0) return;
    const { owner, client } = this.#parts;
    const signal = this.#signal;
    const lease = await RepairLease.take(corrected.parts, this.#sessionMs, { owner, signal });
    try {
      const partitions = getPartitions(corrected.parts.projection);
      const route = { route: 'correct/kill', signal };
      await client.killAndWait(`${corrected.database}:${GROUP}`, route);
      await whileHeld({ range: corrected.database, left: () => lease.left() }, signal, async (watch) => {
        // Another process may have run them before it gave the lease away.
        for (let due = await this.#due(corrected); due.length > 0; due = await this.#due(corrected))
          for (const correction of due) {
            const { position } = correction;
            const place = {
              position,
              epoch: Math.floor(position / this.#parts.identity.epochSize),
              from: Date.now(),
              // A projection in chain order has one partition, if its rows are corrected.
              ...(partitions !== null && { partition: 0 }),
            };
            watch.check();
            await correction.run((rows) => replaceRows(this.#context(corrected), place, rows, watch));
          }
      });
    } finally {
      await lease.release();
    }
  }

  /** The served version; null if there is none, or nothing corrects its rows. */
  async #open(): Promise<Corrected | null> {
    const { client, codec, identity, projection } = this.#parts;
    const { version } = await this.#pointers.of(projection.name);
    if (version === null) return null;
    if (this.#corrected?.version === version) return this.#corrected;
    const parts = await partsOfVersion({ ...this.#parts, version, signal: this.#signal });
    const database = getDatabase(identity, projection, version);
    const source = parts.projection.corrections?.({
      ...{ client, codec, identity, database, signal: this.#signal },
      needed: neededStore(parts),
      input: await servedDatabase(client, identity, { name: projection.input.projection }),
    });
    if (!source) return null;
    this.#corrected = { version, parts, database, source };
    return this.#corrected;
  }

  async #due({ database, parts, source }: Corrected) {
    const [first] = await this.#islands.poll(database, getPartitions(parts.projection));
    return first ? source.due(first.last) : [];
  }

  #context({ parts, database }: Corrected): SinkContext {
    const { client, identity, log, owner } = this.#parts;
    return {
      ...{ client, database },
      fences: getFencesTable(identity.network),
      group: `${GROUP}${owner}/${randomUUID()}`,
      definition: parts.projection.sink,
      repairs: readRepairs(parts.projection.sink, PROJECT),
      concurrency: 1,
      log: (message, facts) => log.warn(facts, message),
    };
  }
}
