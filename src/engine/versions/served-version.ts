import type { LogIdentity } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { tableExists } from '../../platform/clickhouse/table-exists.ts';
import { ConflictError } from '../../platform/errors/error-kinds.ts';
import type { Shutdown } from '../../platform/observability/shutdown.ts';
import { pause, pollFor } from '../../platform/retry/poll.ts';
import { untilSharedMoment } from '../../platform/retry/shared-moment.ts';
import type { RunScope } from '../engine-parts.ts';
import type { TableProjection } from '../projection/projection.ts';
import type { PositionRange } from '../ranges/position-ranges.ts';
import { type VisibleReader, visibleReader } from '../watermark/visible-reader.ts';
import type { PointerWatch } from './pointer-watch.ts';
import { ANNOUNCE_MS, listVersions, type Pointer } from './projection-pointer.ts';
import { FIRST_VERSION, getDatabase } from './version-names.ts';
import { readVersionRecords } from './version-records.ts';
import type { VersionSchema } from './version-schema.ts';

/** Interval of look-ups of the served version, ms: at least two between a move and its moment. */
const POINTER_MS = ANNOUNCE_MS / 2;
/** The table that visible ranges are read from. */
const CONFIRMED = 'confirmed';
/** Interval of the checks whether the new version reaches as far, ms. */
const CATCHING_UP_MS = 5;
/** Time that answers stay with the old version while the new one does not reach as far: no answer loses rows. */
const CATCH_UP_MS = 30_000;
/** A store that is away makes one warning in this time, not one a look. */
const WARN_MS = 10_000;

/** A projection whose served version is followed. */
export interface FollowedProjection {
  readonly client: StoreClient;
  readonly identity: LogIdentity;
  readonly projection: Pick<TableProjection, 'name' | 'order'>;
  /** Shared by all that are followed. */
  readonly pointers: Pick<PointerWatch, 'of'>;
  /** Why answers cannot read a version; null if they can. Default: every version is readable. */
  readonly unreadable?: (
    projection: string,
    database: string,
    tables: VersionTables,
  ) => Promise<string | null>;
}

/** Tables of a version; null where nothing is written down, and they are the code's own. */
type VersionTables = VersionSchema['tables'] | null;

/** The served version was made by a release with tables that this one cannot read. */
export class UnreadableVersionError extends ConflictError {
  readonly database: string;
  constructor(database: string, reason: string) {
    super(`${database} is served, which this release cannot read: ${reason}`);
    this.database = database;
  }
}

/** Version and range of a projection that may be answered from at one moment. */
export type ServedView =
  /** Nothing of it was ever built. */
  | { readonly state: 'off' }
  /** Its first version has nothing to answer from yet. */
  | { readonly state: 'building'; readonly version: number; readonly database: string }
  | {
      readonly state: 'served';
      readonly version: number;
      readonly database: string;
      readonly visible: PositionRange;
    };

/** Steps of a version that were confirmed; `lane`: the partition of a projection in chain order. */
export interface ConfirmedSteps {
  readonly version: number;
  readonly lane: number;
  readonly range: PositionRange;
}

/** Context of the follower. */
export interface FollowScope extends Pick<RunScope, 'signal' | 'log'> {
  readonly shutdown: Pick<Shutdown, 'add'>;
}

/** A version, and from when on (`performance.now()`) it is served. */
interface Announced {
  readonly version: number;
  readonly at: number;
}

/** A version, and what of it is visible. */
interface FollowedVersion {
  readonly version: number;
  readonly database: string;
  readonly reader: VisibleReader;
}

/** Follows which version of a projection is served and what of it is visible, until the session ends. */
export class ServedVersion {
  readonly #followed: FollowedProjection;
  readonly #session: FollowScope;
  /** Null while the projection has no version. */
  #served: FollowedVersion | null = null;
  /** The version that is announced, followed already. */
  #expected: FollowedVersion | null = null;
  readonly #tables = new Map<string, VersionTables>();
  #refused: UnreadableVersionError | null = null;
  #warnedAt = Number.NEGATIVE_INFINITY;

  constructor(followed: FollowedProjection, session: FollowScope) {
    this.#followed = followed;
    this.#session = session;
  }

  /** Version, database and range belong together, whenever it is asked for. */
  get view(): ServedView {
    if (!this.#served) return { state: 'off' };
    const { version, database, reader } = this.#served;
    const visible = reader.current;
    return visible
      ? { state: 'served', version, database, visible }
      : { state: 'building', version, database };
  }

  /** Tables of a version that is served, was served, or is announced. */
  getTables(database: string): VersionTables {
    return this.#tables.get(database) ?? null;
  }

  /** Why the version that is served elsewhere is not followed: answers stay with the one before. Null where all is well. */
  get refused(): string | null {
    return this.#refused?.message ?? null;
  }

  /** A range of a version was confirmed, in this process. */
  confirmed({ version, lane, range }: ConfirmedSteps): void {
    for (const followed of [this.#served, this.#expected])
      if (followed?.version === version) followed.reader.confirmed(range, lane);
  }

  /** To be called before an answer: brings what is visible up to date where another process writes. */
  async freshen(): Promise<void> {
    await this.#served?.reader.freshen();
  }

  /** Resolves when the served version and its visible range are known. Throws `UnreadableVersionError`. */
  async start(): Promise<void> {
    await this.#poll();
    const following = this.#follow();
    this.#session.shutdown.add(`served version of ${this.#followed.projection.name}`, async () => {
      // A look that is under way may start a reader still.
      await following;
      await this.#served?.reader.stop();
      await this.#expected?.reader.stop();
    });
  }

  async #follow(): Promise<void> {
    const { signal } = this.#session;
    let announced: Announced | null = null;
    while (!signal.aborted) {
      const pauseMs: number = Math.min(
        untilSharedMoment(POINTER_MS),
        (announced?.at ?? Infinity) - performance.now(),
      );
      await pause(Math.max(1, pauseMs), signal);
      if (signal.aborted) return;
      try {
        if (announced && performance.now() >= announced.at) {
          const { version } = announced;
          announced = null;
          await this.#switchTo(version);
        } else announced = await this.#poll();
      } catch (error) {
        this.#warn(error);
      }
    }
  }

  /** Follows the pointer; answers the version that is announced, whose range is read ahead then. */
  async #poll(): Promise<Announced | null> {
    const { projection, pointers } = this.#followed;
    const pointer = await pointers.of(projection.name);
    // By its own clock this server went over to it a little before the store's clock has it: it does not go back.
    if (pointer.next && pointer.next.version === this.#served?.version) return null;
    const version = await this.#findVersion(pointer);
    if (version !== null && version !== this.#served?.version) await this.#switchTo(version);
    else this.#refused = null;
    await this.#expect(pointer.next?.version ?? null);
    return pointer.next;
  }

  /** Stores of before there were pointers have a first version; a projection that was never built has none, nor one whose tables are being made. */
  async #findVersion({ version }: Pointer): Promise<number | null> {
    if (version !== null || this.#served) return version ?? FIRST_VERSION;
    const { client, identity, projection } = this.#followed;
    const versions = await listVersions(client, identity.network, projection.name);
    if (!versions.includes(FIRST_VERSION)) return null;
    const database = getDatabase(identity, projection, FIRST_VERSION);
    return (await tableExists(client, database, CONFIRMED, { route: 'versions' })) ? FIRST_VERSION : null;
  }

  /** Reads ahead what is visible of the version that is announced; null for none, and for the served one. */
  async #expect(version: number | null): Promise<FollowedVersion | null> {
    const wanted = version === this.#served?.version ? null : version;
    if (wanted === (this.#expected?.version ?? null)) return this.#expected;
    await this.#expected?.reader.stop();
    this.#expected = null;
    if (wanted === null) return null;
    const database = getDatabase(this.#followed.identity, this.#followed.projection, wanted);
    await this.#learn(database);
    const reader = this.#buildReader(database);
    await reader.start();
    this.#expected = { version: wanted, database, reader };
    return this.#expected;
  }

  /** Readers see the old version with its range, or the new one with its own: never a mixture. */
  async #switchTo(version: number): Promise<void> {
    const next = await this.#expect(version);
    if (!next) return;
    this.#expected = null;
    const before = this.#served?.reader;
    const isReady = () => {
      if (!before || !isBehind(next.reader.current, before.current) || this.#session.signal.aborted)
        return true;
      void next.reader.freshen();
      return false;
    };
    await pollFor(isReady, CATCH_UP_MS, { everyMs: CATCHING_UP_MS });
    this.#served = next;
    await before?.stop();
  }

  /** Reads what a version consists of. Throws `UnreadableVersionError`. */
  async #learn(database: string): Promise<void> {
    const { client, identity, projection, unreadable } = this.#followed;
    const records = await readVersionRecords(client, identity.network, projection.name);
    const record = records.find(({ version }) => getDatabase(identity, projection, version) === database);
    const tables = record?.schema?.tables ?? null;
    const reason = (await unreadable?.(projection.name, database, tables)) ?? null;
    this.#refused = reason === null ? null : new UnreadableVersionError(database, reason);
    if (this.#refused) throw this.#refused;
    this.#tables.set(database, tables);
  }

  #buildReader(database: string): VisibleReader {
    const { client, identity, projection } = this.#followed;
    const isIsolated = identity.facts.continuity === 'isolated';
    const onError = (error: unknown) => this.#warn(error);
    return visibleReader(projection, isIsolated, { client, database, onError });
  }

  #warn(error: unknown): void {
    // A look under way fails when its client closes.
    if (this.#session.signal.aborted) return;
    if (performance.now() - this.#warnedAt < WARN_MS) return;
    this.#warnedAt = performance.now();
    if (error instanceof UnreadableVersionError) {
      this.#session.log.warn(
        { error },
        'answers stay with the version before: run the release that built it',
      );
      return;
    }
    this.#session.log.warn(
      { error },
      'what is visible could not be read; answers stay at the last known head',
    );
  }
}

/** Whether less can be answered from the new version than from the old one. */
function isBehind(next: PositionRange | null, before: PositionRange | null): boolean {
  return before !== null && (next === null || next.last < before.last || next.first > before.first);
}
